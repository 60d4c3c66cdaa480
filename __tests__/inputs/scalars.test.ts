import { describe, expect, test } from '@jest/globals';
import { parseScanKey, readChoice, readFlag, readInteger } from '../../src/inputs/scalars.ts';
import { catchProblems, isolateEnvironment, setInputs } from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

isolateEnvironment();

function flag(text: string): boolean {
  setInputs({ 'dry-run': text });
  return readFlag('dry-run', 'false');
}

function choice(text: string): 'error' | 'warn' | 'off' {
  setInputs({ 'content-check': text });
  return readChoice('content-check', ['error', 'warn', 'off']);
}

function integer(text: string): number {
  setInputs({ retries: text });
  return readInteger('retries', '8', 3, 10);
}

test('an empty text means the default', () => {
  expect([flag(''), flag(' \n'), choice(''), integer('')]).toEqual([false, false, 'error', 8]);
});

describe('readFlag', () => {
  test.each(['true', 'True', 'TRUE', 'false', 'False', 'FALSE', ' true\n'])('reads %j', (text) => {
    expect(flag(text)).toBe(/true/i.test(text));
  });

  test.each(['yes', '1', 'tRUE', 'xtrue', 'xfalse', 'falsehood'])('refuses %j', (text) => {
    expect(catchProblems(() => flag(text))).toEqual([
      `\`dry-run\` must be true or false, not '${text}'.`,
    ]);
  });
});

describe('readChoice', () => {
  test.each(['error', 'warn', 'off'])('accepts %s', (text) => {
    expect(choice(text)).toBe(text);
  });

  test.each(['Warn', 'warning', 'error,warn', 'constructor'])('refuses %j', (text) => {
    expect(catchProblems(() => choice(text))).toEqual([
      `\`content-check\` must be one of error, warn, off, not '${text}'.`,
    ]);
  });
});

describe('readInteger', () => {
  test.each([
    ['3', 3],
    ['10', 10],
    ['007', 7],
  ])('reads %s', (text, value) => {
    expect(integer(text)).toBe(value);
  });

  test.each(['2', '11', 'NaN', '-4', '+4', '4.0', '4e0', '0x4', '4\n4', '٤', 'x4'])(
    'refuses %j',
    (text) => {
      expect(catchProblems(() => integer(text))).toEqual([
        `\`retries\` must be a whole number from 3 to 10, not '${text}'.`,
      ]);
    },
  );

  test('refuses more than nine digits', () => {
    expect(catchProblems(() => integer('0000000004'))).toEqual([
      expect.stringMatching(/^`retries` must be a whole number/),
    ]);
  });
});

describe('parseScanKey', () => {
  test.each([
    SCAN_KEY,
    SCAN_KEY.toUpperCase(),
    '00000000-0000-0000-0000-000000000001',
    '01890a5d-ac96-774b-bcce-b302099a8057',
  ])('returns %s unchanged', (text) => {
    expect(parseScanKey(text)).toBe(text);
  });

  test.each([
    [
      '',
      /^`scan-key` is required\. Set it to the UUID of the scan\. If it comes from a variable, check its name, and /,
    ],
    ['00000000-0000-0000-0000-000000000000', /^`scan-key` must not be the nil UUID/],
    ['42', /^`scan-key` must be a UUID \(8-4-4-4-12 hexadecimal digits\), not '42'\.$/],
    [`{${SCAN_KEY}}`, /must be a UUID/],
    [`${SCAN_KEY}\n`, /must be a UUID/],
    [SCAN_KEY.slice(1), /must be a UUID/],
    [`${SCAN_KEY}0`, /must be a UUID/],
    [SCAN_KEY.replace('f', 'g'), /must be a UUID/],
    ['3fa85f6-45717-4562-b3fc-2c963f66afa6', /must be a UUID/],
  ])('refuses %j', (text, message) => {
    expect(catchProblems(() => parseScanKey(text))).toEqual([expect.stringMatching(message)]);
  });
});

test.each([
  ['a boolean', flag],
  ['an option', choice],
  ['a number', integer],
  ['a scan key', (text: string) => parseScanKey(text)],
] as const satisfies readonly (readonly [string, (text: string) => unknown])[])(
  'does not repeat a long text in place of %s: it may be a secret',
  (_, parse) => {
    const [short, long] = ['x'.repeat(40), 'x'.repeat(41)];
    expect(catchProblems(() => parse(short))[0]).toContain(`'${short}'`);
    expect(catchProblems(() => parse(long))[0]).toMatch(/, not a text of 41 characters\.$/);
  },
);
