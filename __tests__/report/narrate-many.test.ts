import { beforeEach, describe, expect, test } from '@jest/globals';
import { Log } from '../../src/report/log.ts';
import {
  narrateBatch,
  narrateOperation,
  narrateParts,
  narrateUpload,
} from '../../src/report/narrate.ts';
import type { UploadPlan } from '../../src/plan/plan.ts';
import { setEnvironment } from '../support/environment.ts';
import { FACTS, captureOutput, makeRefusal } from '../support/report.ts';
import { makePlan, makeScanFile } from '../support/plans.ts';

beforeEach(() => setEnvironment({ RUNNER_DEBUG: undefined }));

async function makeSingle(): Promise<UploadPlan> {
  return makePlan('upload-file', await makeScanFile());
}

async function tellOfOne(): Promise<void> {
  const log = new Log().named('shop');
  narrateOperation(await makeSingle(), FACTS, log);
  const narration = narrateUpload(FACTS, 1, log);
  narration.onAttempt(1);
  narration.onRequest(['Accept']);
}

describe('narrateBatch', () => {
  test('says how many are sent, and how many at a time', () => {
    const output = captureOutput();
    narrateBatch(7, 4, 'https://scan.example', new Log());
    expect(output.lines).toEqual(['Sending 7 scans to https://scan.example, 4 at a time ...']);
  });

  test.each([0, 1])('has nothing to say of %i', (scans) => {
    const output = captureOutput();
    narrateBatch(scans, scans, 'https://scan.example', new Log());
    expect(output.text).toBe('');
  });
});

describe('the log of one of many scans', () => {
  test('has its name before each line', async () => {
    const output = captureOutput();
    const log = new Log().named('shop');
    narrateParts(await makeSingle(), log);
    const narration = narrateUpload(FACTS, 9, log);
    narration.onAttempt(1);
    const cause = makeRefusal({ status: 503 });
    narration.onRetry({ result: 'rejected', cause, retry: 'always', retryAfter: undefined }, 5000);
    narration.onAttempt(2);
    expect(output.lines.length).toBeGreaterThan(3);
    for (const line of output.lines) expect(line).toMatch(/^\[shop\] /);
    expect(output.lines.at(-1)).toBe('[shop] Attempt 2 of at most 9: sending 1.5 KiB ...');
  });

  test('leaves what each of them does to debug logging', async () => {
    const output = captureOutput();
    await tellOfOne();
    expect(output.text).toBe('');
    setEnvironment({ RUNNER_DEBUG: '1' });
    await tellOfOne();
    expect(output.lines).toEqual([
      `::debug::[shop] Operation: upload-file, POST ${FACTS.address}`,
      '::debug::[shop] Attempt 1: sending 1.5 KiB ...',
      '::debug::[shop] Request headers: Accept',
    ]);
  });
});
