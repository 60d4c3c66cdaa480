import { describe, expect, test } from '@jest/globals';
import { adviseRerun } from '../../src/report/advise-rerun.ts';
import { REASONS } from '../../src/report/result.ts';
import type { Reason, ScanResult } from '../../src/report/result.ts';
import { FAILURE, makeBatch, makeScan } from '../support/report.ts';

const MAY_HELP = 'If the cause was temporary, re-run the failed jobs.';
const PUSH = 'After changing a file in the repository, push it: re-runs use the original files.';
const FIX = `After changing a secret or a variable, re-run the failed jobs. ${PUSH}`;
const CHECK =
  'Check the service before a re-run: it may have the scan, and a re-run sends it again.';
const AGAIN = ' A re-run sends every scan again, including those that were accepted.';

/** What to do after each reason. */
const ADVICE: Readonly<Record<Reason, string | undefined>> = {
  inputs: FIX,
  files: PUSH,
  contents: PUSH,
  redirect: FIX,
  'web-page': FIX,
  credentials: FIX,
  certificate: FIX,
  refused: FIX,
  'rate-limited': MAY_HELP,
  name: MAY_HELP,
  proxy: MAY_HELP,
  connection: MAY_HELP,
  stalled: MAY_HELP,
  'time-limit': MAY_HELP,
  problem: FIX,
  'too-large': FIX,
  cancelled: undefined,
  'other-scans': undefined,
  internal: undefined,
};

function fail(reason: Reason, scan: Partial<ScanResult> = {}): ScanResult {
  return makeScan({ result: 'rejected', failure: { ...FAILURE, reason }, ...scan });
}

function advise(...scans: readonly ScanResult[]): string | undefined {
  return adviseRerun(makeBatch(scans));
}

describe('adviseRerun', () => {
  test.each(REASONS)('advises a re-run for the reason %s only where it can help', (reason) => {
    expect(advise(fail(reason))).toBe(ADVICE[reason]);
  });

  test.each(REASONS)('uses the reason %s of the step itself', (reason) => {
    const failure = { ...FAILURE, reason };
    expect(adviseRerun(makeBatch([], { failure }))).toBe(ADVICE[reason]);
  });

  test.each([
    [400, FIX],
    [404, FIX],
    [499, FIX],
    [408, MAY_HELP],
    [425, MAY_HELP],
    [500, MAY_HELP],
    [503, MAY_HELP],
  ])('advises a re-run for the status %d only where it can help', (statusCode, advice) => {
    expect(advise(fail('refused', { statusCode }))).toBe(advice);
    expect(advise(fail('problem', { statusCode }))).toBe(advice);
    expect(advise(fail('too-large', { statusCode }))).toBe(FIX);
  });

  test('says what a re-run sends again', () => {
    expect(advise(fail('connection'), makeScan())).toBe(`${MAY_HELP}${AGAIN}`);
    expect(advise(fail('credentials'), makeScan())).toBe(`${FIX}${AGAIN}`);
  });

  test('asks for a fix first if any failure needs one', () => {
    expect(advise(fail('connection'), fail('contents'))).toBe(PUSH);
    expect(advise(fail('contents'), fail('inputs'), makeScan())).toBe(`${FIX}${AGAIN}`);
  });

  test('asks to check the service first if any scan is unconfirmed', () => {
    expect(advise(fail('connection', { result: 'unconfirmed' }))).toBe(CHECK);
    expect(advise(fail('inputs'), fail('cancelled', { result: 'unconfirmed' }))).toBe(CHECK);
  });

  test('ignores failures that other scans caused', () => {
    const failure = { ...FAILURE, reason: 'connection', isFollowing: true } as const;
    expect(advise(fail('cancelled'), makeScan({ result: 'not-sent', failure }))).toBeUndefined();
  });
});
