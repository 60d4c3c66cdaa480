import { describe, expect, test } from '@jest/globals';
import { annotateFailures } from '../../src/report/annotations.ts';
import { Log } from '../../src/report/log.ts';
import type { Failure } from '../../src/report/failure.ts';
import type { ScanResult } from '../../src/report/scan-result.ts';
import { FAILURE, captureOutput, findCommands, makeBatch, makeScan } from '../support/report.ts';

/** The limits of the runner: errors per step, and characters per error. */
const SHOWN_BY_RUNNER = 10;
const MAX_MESSAGE_CHARACTERS = 4096;

function makeFailure(headline: string, failure: Partial<Failure> = {}): Failure {
  return { ...FAILURE, headline, details: [], fixes: [], traces: [], ...failure };
}

function makeFailed(label?: string, failure = makeFailure(`${label} is wrong.`)): ScanResult {
  return makeScan({ label, name: label, result: 'rejected', failure });
}

function makeFailedScans(count: number): readonly ScanResult[] {
  return Array.from({ length: count }, (_, index) => makeFailed(`s${index}`));
}

/** The annotations of a step, as the runner reads them. */
function annotate(scans: readonly ScanResult[], failure?: Failure): readonly string[] {
  const output = captureOutput();
  annotateFailures(makeBatch(scans, { failure }), new Log());
  return output.lines;
}

describe('annotateFailures', () => {
  test('names the scan in the title, and writes what happened, details, what to do and traces', () => {
    const failure = { ...FAILURE, details: ['one\n two'], fixes: ['three\r\nfour'] };
    expect(annotate([makeScan({ label: 'fine' }), makeFailed('shop', failure)])).toEqual([
      '::error title=Scan upload rejected (400) [shop]::[shop] The scan key is not known.%0Aone two%0Athree four%0ATrace id of the requests: 1',
    ]);
  });

  test('names the scans that share a failure in one annotation, failures caused by other scans last', () => {
    const shared = makeFailure('No.', {
      title: 'Not sent',
      details: ['one'],
      situation: 'other-scans',
    });
    const scans = [makeFailed('a', shared), makeFailed('b'), makeFailed('c', shared)];
    expect(annotate(scans)).toEqual([
      '::error title=Scan upload rejected (400) [b]::[b] b is wrong.',
      '::error title=Not sent::No.%0Aone%0A2 scans: a, c.',
    ]);
  });

  test('always writes the failure of the step itself, and writes it first', () => {
    const failure = makeFailure('Broken.', { title: 'Scan upload failed unexpectedly' });
    for (const count of [0, 1, SHOWN_BY_RUNNER]) {
      const lines = annotate(makeFailedScans(count), failure);
      expect(lines[0]).toBe('::error title=Scan upload failed unexpectedly::Broken.');
      expect(lines).toHaveLength(Math.min(count + 1, SHOWN_BY_RUNNER));
    }
  });

  test.each([
    [10, /^\[s9\] s9 is wrong\.$/],
    [11, /^2 more scans failed: s9, s10\.$/],
    [30, /^21 more scans failed: s9, s10, .*, s28 and 1 more\.$/],
    [1000, /^991 more scans failed: s9, .*, s28 and 971 more\.$/],
  ])('writes at most ten annotations for %i failures, the last of which is %s', (count, last) => {
    const lines = annotate(makeFailedScans(count));
    expect(lines).toHaveLength(SHOWN_BY_RUNNER);
    expect(lines[8]).toContain('s8 is wrong.');
    expect(lines[9]?.replace(/^::error title=.*?::/, '')).toMatch(last);
  });

  test('counts scans, not failures, if several share a failure that is not shown', () => {
    const shared = makeFailure('Shared.', { situation: 'other-scans' });
    const scans = [...makeFailedScans(10), makeFailed('x', shared), makeFailed('y', shared)];
    expect(annotate(scans).at(-1)).toContain('::3 more scans failed: s9, x, y.');
  });

  test('writes no other runner command, for any name and failure text', () => {
    const text = 'a\n::set-output name=uploaded::true\r##[error]b,c:d%0A::stop-commands::x\u200b';
    const shared = makeFailure(text, { title: `Scan ${text}`, details: [text], fixes: [text] });
    const scans = [makeFailed(text), makeFailed(text, shared), makeFailed(text, shared)];
    const lines = annotate([...scans, ...makeFailedScans(20)]);
    expect(lines).toHaveLength(SHOWN_BY_RUNNER);
    expect(findCommands(lines.join('\n'))).toEqual(lines);
    for (const line of lines) {
      expect(line).toMatch(/^::error title=[^:,]*::/);
      expect(line).not.toContain('##[');
      expect(line.replace('::error', '')).not.toMatch(/%0A\s*::/);
    }
  });

  test('stays within the limits of the runner with long names and texts', () => {
    const long = 'x'.repeat(100_000);
    const scans = Array.from({ length: 30 }, (_, index) => makeFailed(`${index}${long}`));
    for (const line of annotate([makeFailed(undefined, makeFailure(long)), ...scans])) {
      const [, message = ''] = /^::error title=[^:]*::(.*)$/.exec(line) ?? [];
      expect(message.length).toBeGreaterThan(0);
      expect(message.length).toBeLessThanOrEqual(MAX_MESSAGE_CHARACTERS);
    }
  });
});
