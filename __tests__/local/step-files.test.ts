import { describe, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseKeyValues } from '../../local/step/file-commands.ts';
import { resolveInputs, toVariable } from '../../local/step/inputs.ts';
import { readManifest } from '../../local/step/manifest.ts';
import { makeFolder } from '../support/directories.ts';

describe('parseKeyValues', () => {
  test.each([
    { text: '', pairs: [] },
    { text: '\n\na=1\n', pairs: [['a', '1']] },
    {
      text: 'a=1\nb=x=y<<z',
      pairs: [
        ['a', '1'],
        ['b', 'x=y<<z'],
      ],
    },
    { text: 'a<<EOF\nEOF\n', pairs: [['a', '']] },
    { text: 'a<<EOF\n\nEOF\n', pairs: [['a', '']] },
    {
      text: 'a<<EOF\n1\n\n2\nEOF\nb=3\n',
      pairs: [
        ['a', '1\n\n2'],
        ['b', '3'],
      ],
    },
    { text: 'a<<E=F\nb=c\nE=F', pairs: [['a', 'b=c']] },
    { text: 'a<<EOF\n EOF\nEOF \r\nEOF', pairs: [['a', ' EOF\nEOF \r']] },
    { text: 'a=1\r\n', pairs: [['a', '1\r']] },
    { text: '\ufeffa=1', pairs: [['a', '1']] },
  ])('reads $text', ({ text, pairs }) => {
    expect(parseKeyValues(text)).toEqual({
      pairs: pairs.map(([name, value]) => ({ name, value })),
      error: undefined,
    });
  });

  test.each([
    { text: 'a=1\nnonsense\nb=2', error: "Invalid format 'nonsense'" },
    { text: 'a=1\nb<<EOF\nx', error: "Invalid value. Matching delimiter not found 'EOF'" },
    { text: 'a=1\n<<EOF\nEOF', error: /^Invalid format '<<EOF'\. Name must not be empty/ },
    { text: 'a=1\nb<<\n\n', error: /^Invalid format 'b<<'\. Name must not be empty/ },
  ])('stops at the fault in $text', ({ text, error }) => {
    const read = parseKeyValues(text);
    expect(read.pairs).toEqual([{ name: 'a', value: '1' }]);
    expect(read.error).toMatch(error);
  });
});

describe('toVariable', () => {
  test.each([
    ['base-url', 'INPUT_BASE-URL'],
    ['two words', 'INPUT_TWO_WORDS'],
    ['a.b_c', 'INPUT_A.B_C'],
  ])('makes %s %s', (name, variable) => {
    expect(toVariable(name)).toBe(variable);
  });
});

describe('resolveInputs', () => {
  const declared = [
    { name: 'base-url', description: '', default: '', deprecationMessage: undefined },
    { name: 'retries', description: '', default: '8', deprecationMessage: 'use patience' },
  ];

  test('fills in defaults and keeps what is given, empty texts included', () => {
    const { variables, warnings } = resolveInputs({ 'Base-URL': 'x' }, declared);
    expect(variables).toEqual({ 'INPUT_BASE-URL': 'x', INPUT_RETRIES: '8' });
    expect(warnings).toEqual([]);
    expect(resolveInputs({ retries: '' }, declared).variables).toMatchObject({ INPUT_RETRIES: '' });
  });

  test('warns as the runner does', () => {
    expect(resolveInputs({ retries: '1', a: '', b: '' }, declared).warnings).toEqual([
      "Input 'retries' has been deprecated with message: use patience",
      "Unexpected input(s) 'a', 'b', valid inputs are ['base-url', 'retries']",
    ]);
    expect(resolveInputs({ a: 'x' }, declared).variables).toMatchObject({ INPUT_A: 'x' });
  });
});

async function readText(text: string): ReturnType<typeof readManifest> {
  const folder = await makeFolder();
  await writeFile(join(folder, 'action.yml'), text);
  return readManifest(folder);
}

describe('readManifest', () => {
  test('takes scalars of any kind for text', async () => {
    const inputs =
      'inputs: {a: {default: false}, b: {default: 8}, c: {default: "x"}, d: {}, e: null}';
    const manifest = await readText(`${inputs}\nruns: {using: node24, main: dist/index.js}\n`);
    expect(manifest.main).toBe('dist/index.js');
    expect(manifest.inputs.map((input) => [input.name, input.default])).toEqual([
      ['a', 'false'],
      ['b', '8'],
      ['c', 'x'],
      ['d', ''],
      ['e', ''],
    ]);
  });

  test.each([
    { text: 'runs: {using: docker, image: x}', fault: /no JavaScript action/ },
    { text: 'runs: {using: node24}', fault: /no JavaScript action/ },
    { text: 'runs: [', fault: /./ },
    {
      text: 'runs: {using: node24, main: x}\ninputs: {a: {default: "${{ github.token }}"}}',
      fault: /input "a" is an expression/,
    },
  ])('refuses $text', async ({ text, fault }) => {
    await expect(readText(text)).rejects.toThrow(fault);
  });

  test('says when there is no action.yml', async () => {
    await expect(readManifest(await makeFolder())).rejects.toThrow(/ENOENT.*action\.yml/);
  });
});
