import { describe, expect, test } from '@jest/globals';
import { hide } from '../../src/redaction/clean.ts';
import { keepResult } from '../../src/results/keep.ts';
import type { Kept } from '../../src/results/keep.ts';
import type { ScanResult } from '../../src/results/scan-result.ts';
import { makeAttempt, makeUpload } from '../support/attempts.ts';
import { SECRET } from '../support/inputs.ts';
import { FAILURE, makeScan } from '../support/report.ts';
import { MIB } from '../support/samples.ts';

/** A scan that was refused with this problem. */
function makeRefused(problem: object): ScanResult {
  const last = makeAttempt({ response: { status: 400, body: JSON.stringify(problem) } });
  return { ...makeScan(), upload: makeUpload(last), failure: FAILURE };
}

function keep(problem: object, kept: Kept): unknown {
  const { upload } = keepResult(makeRefused(problem), kept);
  return JSON.parse(upload?.last.response?.problem?.json ?? 'null');
}

describe('keepResult', () => {
  const TEXTS = { title: 'No', detail: 'Not found.', traceId: '1' };
  const WHOLE = { ...TEXTS, status: 400, errors: { a: ['é'] } };

  test('keeps problems whole up to 8 MiB of all scans, then title, detail and trace id', () => {
    const kept = { problemBytes: 8 * MIB - 3 * Buffer.byteLength(JSON.stringify(WHOLE)) };
    for (let count = 1; count <= 3; count += 1) expect(keep(WHOLE, kept)).toEqual(WHOLE);
    expect(keep(WHOLE, kept)).toEqual(TEXTS);
    expect(kept.problemBytes).toBe(8 * MIB);
    expect(keep({ title: 'A' }, { problemBytes: 0 })).toEqual({ title: 'A' });
  });

  test.each<[object, { readonly detail?: string; readonly traceId?: string }]>([
    [{ title: { a: 1 }, detail: 7, traceId: null, type: 'a' }, {}],
    [{ detail: 'ab '.repeat(1000), '': 'c' }, { detail: `${'ab '.repeat(498)}ab …` }],
    [{ type: 'a', traceId: 'x'.repeat(2000) }, { traceId: `${'x'.repeat(1498)} …` }],
  ])('then keeps texts, of each the beginning: %#', (problem, expected) => {
    const result = keepResult(makeRefused(problem), { problemBytes: 8 * MIB });
    expect(keep(problem, { problemBytes: 8 * MIB })).toEqual(expected);
    expect(result.upload?.last.response?.problem?.traceId).toBe(expected.traceId);
  });

  test('removes secrets, which may not be known when all are reported', () => {
    hide(SECRET);
    const { upload, ...scan } = makeRefused({});
    const last = makeAttempt({ response: { status: 401, says: [SECRET], warnings: [SECRET] } });
    const whole = { ...scan, upload: upload && { ...upload, last } };
    const result = keepResult(whole, { problemBytes: 0 });
    expect(result.upload?.last.response).toMatchObject({ says: ['***'], warnings: ['***'] });
  });

  test('changes nothing else, and nothing of a scan that was not sent', () => {
    const scan = makeRefused(WHOLE);
    const { text, ...response } = scan.upload?.last.response ?? {};
    expect(text).not.toBe('');
    expect(keepResult(scan, { problemBytes: 0 })).toMatchObject({
      ...scan,
      upload: {
        ...scan.upload,
        last: { ...scan.upload?.last, response: { ...response, text: '' } },
      },
    });
    const { upload: _, ...unsent } = scan;
    expect(keepResult(unsent, { problemBytes: 0 })).toBe(unsent);
  });
});
