import { describe, expect, test } from '@jest/globals';
import { adviseRerun } from '../../src/report/rerun.ts';
import type { ScanResult } from '../../src/report/scan-result.ts';
import type { Rerun } from '../../src/situations.ts';
import { FAILURE, makeBatch, makeScan } from '../support/report.ts';
import type { ScanSpec } from '../support/report.ts';

const TIME = 'If the cause was temporary, re-run the failed jobs.';
const PUSH = 'After changing a file in the repository, push it: re-runs use the original files.';
const SETTING = `After changing a secret or a variable, re-run the failed jobs. ${PUSH}`;
const SCAN = `The scan step must write the file before this step. ${PUSH}`;
const CHECK =
  'Check the service before a re-run: it may have the scan, and a re-run sends it again.';
const AGAIN = ' A re-run sends every scan again, including those that were accepted.';

function fail(rerun: Rerun | undefined, scan: ScanSpec = {}): ScanResult {
  return makeScan({ result: 'rejected', failure: { ...FAILURE, rerun }, ...scan });
}

describe('adviseRerun', () => {
  test.each<[string, readonly ScanResult[], string | undefined]>([
    ['time', [fail('time')], TIME],
    ['a setting', [fail('setting')], SETTING],
    ['a file of the repository', [fail('repository')], PUSH],
    ['the scan step', [fail('scan-step')], SCAN],
    ['nothing that is known', [fail(undefined)], undefined],
    ['time, after others were accepted', [fail('time'), makeScan()], `${TIME}${AGAIN}`],
    ['a setting, after others were accepted', [fail('setting'), makeScan()], `${SETTING}${AGAIN}`],
    ['several things: a fix comes first', [fail('time'), fail('repository')], PUSH],
    ['several things: a setting comes first', [fail('repository'), fail('setting')], SETTING],
    ['time, but one is unconfirmed', [fail('time', { result: 'unconfirmed' })], CHECK],
    [
      'other scans',
      [
        fail(undefined),
        fail('time', { failure: { ...FAILURE, situation: 'other-scans', rerun: 'time' } }),
      ],
      undefined,
    ],
  ])('says what to do if a re-run depends on %s', (_, scans, words) => {
    expect(adviseRerun(makeBatch(scans))).toBe(words);
  });

  test('says it for a failure of the step itself', () => {
    expect(adviseRerun(makeBatch([], { failure: { ...FAILURE, rerun: 'time' } }))).toBe(TIME);
  });
});
