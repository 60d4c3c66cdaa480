import { describe, expect, test } from '@jest/globals';
import { adviseRerun } from '../../src/report/advise-rerun.ts';
import { REASONS } from '../../src/report/result.ts';
import type { Reason, ScanResult } from '../../src/report/result.ts';
import { FAILURE, makeBatch, makeScan } from '../support/report.ts';

const MAY_HELP = 'A re-run of the failed jobs may help.';
const AFTER = 'After fixing this, re-run the failed jobs.';
const NEW_RUN = 'Re-runs use the original workflow file: push the fix to start a new run.';
const CHECK =
  'Check the service before a re-run: it may have the scan, and a re-run sends it again.';
const AGAIN = ' It sends every scan again, those that were accepted too.';

/** What to do after each reason. */
const ADVICE: Readonly<Record<Reason, string | undefined>> = {
  inputs: NEW_RUN,
  files: NEW_RUN,
  contents: NEW_RUN,
  redirect: NEW_RUN,
  'web-page': NEW_RUN,
  credentials: AFTER,
  certificate: AFTER,
  refused: undefined,
  'rate-limited': MAY_HELP,
  name: MAY_HELP,
  proxy: MAY_HELP,
  connection: MAY_HELP,
  stalled: MAY_HELP,
  'time-limit': MAY_HELP,
  problem: undefined,
  'too-large': undefined,
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
  test.each(REASONS)('of the reason %s advises a re-run only where it can help', (reason) => {
    expect(advise(fail(reason))).toBe(ADVICE[reason]);
  });

  test.each(REASONS)('reads the reason %s of the step itself', (reason) => {
    const failure = { ...FAILURE, reason };
    expect(adviseRerun(makeBatch([], { failure }))).toBe(ADVICE[reason]);
  });

  test.each([
    [400, undefined],
    [404, undefined],
    [499, undefined],
    [408, MAY_HELP],
    [425, MAY_HELP],
    [500, MAY_HELP],
    [503, MAY_HELP],
  ])('of the status %d advises a re-run only where it can help', (statusCode, advice) => {
    expect(advise(fail('refused', { statusCode }))).toBe(advice);
    expect(advise(fail('problem', { statusCode }))).toBe(advice);
    expect(advise(fail('too-large', { statusCode }))).toBeUndefined();
  });

  test('says what a re-run sends again', () => {
    expect(advise(fail('connection'), makeScan())).toBe(`${MAY_HELP}${AGAIN}`);
    expect(advise(fail('credentials'), makeScan())).toBe(`${AFTER}${AGAIN}`);
    expect(advise(fail('contents'), makeScan())).toBe(NEW_RUN);
  });

  test('asks to check the service first, whatever else failed', () => {
    expect(advise(fail('connection', { result: 'unconfirmed' }))).toBe(CHECK);
    expect(advise(fail('inputs'), fail('cancelled', { result: 'unconfirmed' }))).toBe(CHECK);
  });

  test('leaves out what only follows from others', () => {
    const failure = { ...FAILURE, reason: 'connection', isFollowing: true } as const;
    expect(advise(fail('problem'), makeScan({ result: 'not-sent', failure }))).toBeUndefined();
  });
});
