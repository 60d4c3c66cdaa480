import { describe, expect, test } from '@jest/globals';
import { parseBoolean, parseEnum, parseInteger, parseScanKey } from '../../src/inputs/scalars.ts';
import { catchProblems } from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

describe('parseBoolean', () => {
  test.each([
    ['true', true],
    ['True', true],
    ['TRUE', true],
    ['false', false],
    ['False', false],
    ['FALSE', false],
  ])('reads %s', (text, value) => {
    expect(parseBoolean('dry-run', text)).toBe(value);
  });

  test.each([
    '',
    'yes',
    'no',
    'on',
    '1',
    '0',
    'tRUE',
    'true ',
    'true\n',
    'xtrue',
    'truefalse',
    'falsehood',
  ])('refuses %j', (text) => {
    expect(catchProblems(() => parseBoolean('dry-run', text))).toEqual([
      `dry-run must be true or false, not '${text}'.`,
    ]);
  });
});

describe('parseEnum', () => {
  test.each(['error', 'warn', 'off'] as const)('takes %s', (text) => {
    expect(parseEnum('content-check', text, ['error', 'warn', 'off'])).toBe(text);
  });

  test.each(['', 'Warn', 'warn ', 'warning', 'error,warn', 'constructor'])('refuses %j', (text) => {
    const parse = (): string => parseEnum('content-check', text, ['error', 'warn', 'off']);
    expect(catchProblems(parse)).toEqual([
      `content-check must be one of error, warn, off, not '${text}'.`,
    ]);
  });
});

describe('parseInteger', () => {
  test.each([
    ['3', 3],
    ['8', 8],
    ['10', 10],
    ['007', 7],
  ])('reads %s', (text, value) => {
    expect(parseInteger('retries', text, 3, 10)).toBe(value);
  });

  test.each([
    '2',
    '11',
    '',
    'banana',
    'NaN',
    'Infinity',
    '-4',
    '+4',
    '4.0',
    '4e0',
    '0x4',
    '4 ',
    '4\n',
    '4s',
    '4_0',
    '٤',
    '1000000004',
    '99999999999999999999',
  ])('refuses %j', (text) => {
    const parse = (): number => parseInteger('retries', text, 3, 10);
    expect(catchProblems(parse)).toEqual([
      `retries must be a whole number from 3 to 10, not '${text}'.`,
    ]);
  });
});

describe('parseScanKey', () => {
  test.each([
    SCAN_KEY,
    SCAN_KEY.toUpperCase(),
    '00000000-0000-0000-0000-000000000001',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '01890a5d-ac96-774b-bcce-b302099a8057',
  ])('takes %s as it is', (text) => {
    expect(parseScanKey(text)).toBe(text);
  });

  test.each([
    ['', /^scan-key is required: the UUID of the scan\.$/],
    ['00000000-0000-0000-0000-000000000000', /^scan-key must not be the nil UUID/],
    ['42', /^scan-key must be a UUID \(8-4-4-4-12 hexadecimal digits\), not '42'\.$/],
    [SCAN_KEY.replaceAll('-', ''), /must be a UUID/],
    [`{${SCAN_KEY}}`, /must be a UUID/],
    [`urn:uuid:${SCAN_KEY}`, /must be a UUID/],
    [`${SCAN_KEY}\n`, /must be a UUID/],
    [`${SCAN_KEY} ${SCAN_KEY}`, /must be a UUID/],
    [SCAN_KEY.slice(1), /must be a UUID/],
    [`${SCAN_KEY}0`, /must be a UUID/],
    [SCAN_KEY.replace('f', 'g'), /must be a UUID/],
    [SCAN_KEY.replace('-', '_'), /must be a UUID/],
    ['3fa85f6-45717-4562-b3fc-2c963f66afa6', /must be a UUID/],
  ])('refuses %j', (text, message) => {
    expect(catchProblems(() => parseScanKey(text))).toEqual([expect.stringMatching(message)]);
  });
});
