import { describe, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseKeyValues } from '../../local/step/file-commands.ts';
import { resolveInputs } from '../../local/step/inputs.ts';
import { readManifest } from '../../local/step/manifest.ts';
import { makeFolder } from '../support/directories.ts';

describe('parseKeyValues', () => {
  test.each([
    ['', {}],
    ['\n\na=1\n', { a: '1' }],
    ['a=1\nb=x=y<<z', { a: '1', b: 'x=y<<z' }],
    ['a<<EOF\nEOF\nb<<EOF\n\nEOF\n', { a: '', b: '' }],
    ['a<<EOF\n1\n\n2\nEOF\nb=3\n', { a: '1\n\n2', b: '3' }],
    ['a<<E=F\nb=c\nE=F', { a: 'b=c' }],
    ['a<<EOF\n EOF\nEOF \nEOF', { a: ' EOF\nEOF ' }],
    ['\ufeffa=1', { a: '1' }],
  ])('reads %j', (text, values) => {
    const pairs = Object.entries(values).map(([name, value]) => ({ name, value }));
    expect(parseKeyValues(text)).toEqual({ pairs, error: undefined });
  });

  test.each([
    ['\n', 'a=1\r\nb=2\n', { a: '1\r', b: '2' }],
    ['\n', 'a<<E\r\nx\r\nE\r\n', { a: 'x\r' }],
    ['\r\n', 'a=1\r\nb=2\n', { a: '1', b: '2' }],
    ['\r\n', 'a<<E\r\nx\ny\r\nz\r\nE\r\nb=3\r', { a: 'x\ny\r\nz', b: '3\r' }],
    ['\r\n', 'a<<E\nx\r\r\nE\n', { a: 'x\r' }],
  ])('uses the line end %j to read %j', (eol, text, values) => {
    const pairs = Object.entries(values).map(([name, value]) => ({ name, value }));
    expect(parseKeyValues(text, eol)).toEqual({ pairs, error: undefined });
  });

  test.each([
    ['a=1\nnonsense\nb=2', "Invalid format 'nonsense'"],
    ['a=1\nb<<EOF\nx', "Matching delimiter not found 'EOF'"],
    ['a=1\n<<EOF\nEOF', "Invalid format '<<EOF'"],
    ['a=1\nb<<\n\n', "Invalid format 'b<<'"],
  ])('stops at the error in %j', (text, error) => {
    expect(parseKeyValues(text)).toEqual({ pairs: [{ name: 'a', value: '1' }], error });
  });
});

test('resolveInputs adds defaults, and warns about unexpected inputs', () => {
  const retries = { name: 'two retries', description: '', default: '8' };
  const { variables, warnings } = resolveInputs({ 'Base-URL': 'x', a: '' }, [retries]);
  expect(variables).toEqual({ 'INPUT_BASE-URL': 'x', INPUT_TWO_RETRIES: '8', INPUT_A: '' });
  expect(warnings).toEqual([
    "Unexpected input(s) 'Base-URL', 'a', valid inputs are ['two retries']",
  ]);
  const given = resolveInputs({ 'TWO retries': '' }, [retries]);
  expect(given).toEqual({ variables: { INPUT_TWO_RETRIES: '' }, warnings: [] });
});

async function readText(text: string): ReturnType<typeof readManifest> {
  const directory = await makeFolder();
  await writeFile(join(directory, 'action.yml'), text);
  return readManifest(directory);
}

describe('readManifest', () => {
  test('reads scalars of any type as text', async () => {
    const inputs =
      'inputs: {a: {default: false}, b: {default: 8}, c: {default: x}, d: {}, e: null}';
    const manifest = await readText(`${inputs}\nruns: {using: node24, main: dist/index.js}\n`);
    expect(manifest.main).toBe('dist/index.js');
    const defaults = manifest.inputs.map((input) => `${input.name}=${input.default}`);
    expect(defaults).toEqual(['a=false', 'b=8', 'c=x', 'd=', 'e=']);
  });

  test.each([
    ['runs: {using: docker, image: x}', /no JavaScript action/],
    ['runs: {using: node24}', /no JavaScript action/],
    ['runs: [', /./],
    ['runs: {using: node24, main: x}\ninputs: {a: {default: "${{ b }}"}}', /"a" is an expression/],
  ])('refuses %j', async (text, message) => {
    await expect(readText(text)).rejects.toThrow(message);
  });

  test('throws if there is no action.yml', async () => {
    await expect(readManifest(await makeFolder())).rejects.toThrow(/ENOENT.*action\.yml/);
  });
});
