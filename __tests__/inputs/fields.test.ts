import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { InputError } from '../../src/errors.ts';
import { findUnexpanded } from '../../src/expressions.ts';
import { Faults, isFilePath, readInput, readInputFile } from '../../src/inputs/fields.ts';
import { catchTexts, isolateEnvironment, setInputs } from '../support/inputs.ts';
import { makeFolder } from '../support/workspace.ts';

isolateEnvironment();

test('readInput reads the names that the runner writes, without white space around the text', () => {
  Object.assign(process.env, { 'INPUT_TOKEN-HEADER': ' X-Key\n', INPUT_SCAN_KEY: 'underscored' });
  expect([readInput('token-header'), readInput('scan-key')]).toEqual(['X-Key', '']);
  setInputs({ retries: ' \n' });
  expect([readInput('retries', '8'), readInput('files', '8')]).toEqual(['8', '8']);
});

async function makeWorkspace(): Promise<string> {
  return join(await makeFolder({ 'workspace/in/a.json': '1234', 'b.json': '1234' }), 'workspace');
}

async function read(path: string, workspace: string): Promise<string> {
  return String(await readInputFile('scans', path, workspace));
}

test.each(['in/a.json', '../b.json'])(
  'readInputFile reads %s, relative or absolute',
  async (path) => {
    const workspace = await makeWorkspace();
    expect(await read(path, workspace)).toBe('1234');
    expect(await read(join(workspace, path), '/')).toBe('1234');
  },
);

test.each([
  ['in', 'cannot be read (not a regular file).'],
  ['a\0b', 'cannot be read (ERR_INVALID_ARG_VALUE).'],
  ['$A/b', `does not exist. ${findUnexpanded('$A')}`],
  ['*.json', 'does not exist. Create it, or check out the repository, before this step.'],
])('readInputFile refuses %j', async (path, problem) => {
  const workspace = await makeWorkspace();
  expect(await catchTexts(() => read(path, workspace))).toEqual([
    `\`scans\`: the file '${path}' ${problem}`,
  ]);
});

test('readInputFile refuses a file of more than 16 MiB', async () => {
  const workspace = await makeWorkspace();
  const path = join(workspace, 'large');
  await writeFile(path, Buffer.alloc(16 * 1024 * 1024));
  expect(await read(path, workspace)).toHaveLength(16 * 1024 * 1024);
  await writeFile(path, 'x', { flag: 'a' });
  expect(await catchTexts(() => read('large', workspace))).toEqual([
    "`scans`: the file 'large' cannot be read (too large).",
  ]);
});

test.each([
  ['ca.pem', true],
  ['/run/secrets/tls.P12', true],
  ['tls/key', false],
  ['eyJh.eyJz.c2lnbmF0dXJl', false],
  ['a\nb.pem', false],
  ['b.pem\na', false],
])('isFilePath returns for %j %s', (text, expected) => {
  expect(isFilePath(text)).toBe(expected);
});

function refuse(): never {
  throw new InputError('One.', ['Do this.']);
}

test('Faults throws all that was added in one error, each text once, with its place', async () => {
  const faults = new Faults();
  expect(faults.read('', () => 'a')).toBe('a');
  expect(() => faults.throwAny()).not.toThrow();
  expect(faults.read('b', refuse)).toBe('b');
  const later = Promise.reject(new InputError(['One.', 'Two.'], ['Do this.', 'Or that.']));
  expect(await faults.readLater('c', later)).toBe('c');
  const without = new InputError('Three.', 'Not this.');
  faults.at('x: ').read('', refuse);
  await faults.withoutFixes().readLater('', Promise.reject(without));
  const texts = ['One.', 'Two.', 'x: One.', 'Three.', 'Do this.', 'Or that.'];
  expect(await catchTexts(() => faults.throwAny())).toEqual(texts);
});

test('Faults takes no other error', async () => {
  const error = new TypeError('No.');
  await expect(new Faults().readLater('', Promise.reject(error))).rejects.toBe(error);
});
