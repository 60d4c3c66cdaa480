import { describe, expect, test } from '@jest/globals';
import { parseBoolean, parseEnum, parseInteger, parseScanKey } from '../../src/inputs/scalars.ts';
import { catchProblems } from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

describe('parseBoolean', () => {
  test.each(['true', 'True', 'TRUE', 'false', 'False', 'FALSE'])('reads %s', (text) => {
    expect(parseBoolean('dry-run', text)).toBe(/true/i.test(text));
  });

  test.each(['', 'yes', '1', 'tRUE', 'true ', 'true\n', 'xtrue', 'xfalse', 'falsehood'])(
    'refuses %j',
    (text) => {
      expect(catchProblems(() => parseBoolean('dry-run', text))).toEqual([
        `\`dry-run\` must be true or false, not '${text}'.`,
      ]);
    },
  );
});

describe('parseEnum', () => {
  test.each(['error', 'warn', 'off'] as const)('accepts %s', (text) => {
    expect(parseEnum('content-check', text, ['error', 'warn', 'off'])).toBe(text);
  });

  test.each(['', 'Warn', 'warn ', 'warning', 'error,warn', 'constructor'])('refuses %j', (text) => {
    const parse = (): string => parseEnum('content-check', text, ['error', 'warn', 'off']);
    expect(catchProblems(parse)).toEqual([
      `\`content-check\` must be one of error, warn, off, not '${text}'.`,
    ]);
  });
});

describe('parseInteger', () => {
  test.each([
    ['3', 3],
    ['10', 10],
    ['007', 7],
  ])('reads %s', (text, value) => {
    expect(parseInteger('retries', text, 3, 10)).toBe(value);
  });

  test.each(['2', '11', '', 'NaN', '-4', '+4', '4.0', '4e0', '0x4', '4 ', '4\n', '٤', 'x4'])(
    'refuses %j',
    (text) => {
      expect(catchProblems(() => parseInteger('retries', text, 3, 10))).toEqual([
        `\`retries\` must be a whole number from 3 to 10, not '${text}'.`,
      ]);
    },
  );

  test('refuses more than nine digits', () => {
    expect(catchProblems(() => parseInteger('retries', '0000000004', 3, 10))).toEqual([
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
    ['', /^`scan-key` is required\. Set it to the UUID of the scan\.$/],
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
  ['a boolean', (text) => parseBoolean('dry-run', text)],
  ['an option', (text) => parseEnum('auth', text, ['token', 'none'])],
  ['a number', (text) => parseInteger('retries', text, 0, 100)],
  ['a scan key', (text) => parseScanKey(text)],
] as const satisfies readonly (readonly [string, (text: string) => unknown])[])(
  'does not repeat a long text in place of %s: it may be a secret',
  (_, parse) => {
    const [short, long] = ['x'.repeat(40), 'x'.repeat(41)];
    expect(catchProblems(() => parse(short))[0]).toContain(`'${short}'`);
    expect(catchProblems(() => parse(long))[0]).toMatch(/, not a text of 41 characters\.$/);
  },
);
