import { describe, expect, test } from '@jest/globals';
import { InputError } from '../../src/errors.ts';
import { getText, readAll } from '../../src/inputs/fields.ts';
import { parseScanKey, readChoice, readFlag, readInteger } from '../../src/inputs/scalars.ts';
import {
  catchLaterProblems,
  catchProblems,
  isolateEnvironment,
  setInputs,
} from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

isolateEnvironment();

function flag(text: string): boolean {
  setInputs({ 'dry-run': text });
  return readFlag('dry-run');
}

function choice(text: string): string {
  setInputs({ 'content-check': text });
  return readChoice('content-check', ['error', 'warn', 'off']);
}

function integer(text: string): number {
  setInputs({ retries: text });
  return readInteger('retries', '8', 3, 10);
}

const KEY = '`scan-key` must be a UUID (8-4-4-4-12 hexadecimal digits) that the service has issued';

describe.each([
  ['readFlag', flag, '`dry-run` must be true or false'],
  ['readChoice', choice, '`content-check` must be one of error, warn, off'],
  ['readInteger', integer, '`retries` must be a whole number from 3 to 10'],
  ['parseScanKey', parseScanKey, KEY],
] as const)('%s', (_, read, problem) => {
  // A long text may be a secret in the wrong input.
  test.each([
    ['x'.repeat(40), `'${'x'.repeat(40)}'`],
    ['x'.repeat(41), 'a text of 41 characters'],
  ])('names the valid values, and repeats only a short text: %s', (text, shown) => {
    expect(catchProblems(() => read(text))).toEqual([`${problem}, not ${shown}.`]);
  });
});

test.each([
  [flag, ['', ' \n', 'false', 'False', 'FALSE'], false],
  [flag, ['true', 'True', 'TRUE', ' true\n'], true],
  [choice, ['', ' ', 'error'], 'error'],
  [choice, ['off'], 'off'],
  [integer, ['', ' ', '8', '008'], 8],
  [integer, ['3'], 3],
  [integer, ['10'], 10],
])('%p reads %j as %j', (read, texts, expected) => {
  for (const text of texts) expect(read(text)).toBe(expected);
});

test.each([
  [flag, ['yes', '1', 'tRUE', 'xtrue', 'trueish', 'xfalse', 'falsehood']],
  [choice, ['Warn', 'warning', 'error,warn', 'constructor']],
  [integer, ['2', '11', '-4', '+4', '4.0', '4e0', '0x4', '4\n4', '٤', 'x4', '0000000004']],
  [
    parseScanKey,
    [
      `{${SCAN_KEY}}`,
      `${SCAN_KEY}\n`,
      SCAN_KEY.slice(1),
      `${SCAN_KEY}0`,
      SCAN_KEY.replace('f', 'g'),
      '3fa85f6-45717-4562-b3fc-2c963f66afa6',
    ],
  ],
])('%p refuses invalid texts', (read, texts) => {
  for (const text of texts) {
    expect(catchProblems(() => read(text))).toEqual([expect.stringContaining(' must be ')]);
  }
});

test('parseScanKey accepts any UUID version in either case', () => {
  const others = ['00000000-0000-0000-0000-000000000001', '01890a5d-ac96-774b-bcce-b302099a8057'];
  for (const text of [SCAN_KEY, SCAN_KEY.toUpperCase(), ...others]) {
    expect(parseScanKey(text)).toBe(text);
  }
});

test.each([
  ['', /^`scan-key` is required\. Set it to the UUID of the scan\.$/],
  [
    '00000000-0000-0000-0000-000000000000',
    /^`scan-key` must be a UUID .* that the service has issued, not '0{8}-/,
  ],
])('parseScanKey refuses %j', (text, message) => {
  expect(catchProblems(() => parseScanKey(text))).toEqual([expect.stringMatching(message)]);
});

test.each([
  [undefined, '8'],
  [' \n', '8'],
  [' 3\n', '3'],
  ['0', '0'],
])('getText reads %j as %j', (text, expected) => {
  if (text !== undefined) setInputs({ retries: text });
  expect(getText('retries', '8')).toBe(expected);
});

test('getText reads the names that the runner writes, in upper case with hyphens', () => {
  Object.assign(process.env, { 'INPUT_TOKEN-HEADER': 'X-Key', INPUT_SCAN_KEY: 'underscored' });
  expect([getText('token-header'), getText('scan-key')]).toEqual(['X-Key', '']);
});

function fail(problem: string, fixes?: readonly string[]): () => never {
  return () => {
    throw new InputError(problem, fixes);
  };
}

describe('readAll', () => {
  test('returns what the readers return, at once or later', async () => {
    const readers = { a: (text: string) => `${text}1`, b: async (text: string) => `${text}2` };
    expect(await readAll(readers, 'x')).toEqual({ a: 'x1', b: 'x2' });
  });

  test('reports all problems together, and what to do about several, each once', async () => {
    const reading = readAll({
      a: fail('One.'),
      b: () => 1,
      c: async () => fail('Two.')(),
      d: fail('One.'),
      e: fail('Three.', ['Do this.']),
      f: fail('Four.', ['Do this.', 'Or that.']),
    });
    await expect(reading).rejects.toHaveProperty('fixes', ['Do this.', 'Or that.']);
    expect(await catchLaterProblems(reading)).toEqual(['One.', 'Two.', 'Three.', 'Four.']);
  });

  test('does not catch other errors', async () => {
    await expect(readAll({ a: () => new URL('not a URL') })).rejects.toThrow('Invalid URL');
  });
});
