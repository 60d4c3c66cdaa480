import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Log } from '../../src/report/log.ts';
import { narrateOperation, narrateParts, narrateUpload } from '../../src/report/narrate.ts';
import type { Narration } from '../../src/report/narrate.ts';
import type { UploadPlan } from '../../src/plan/plan.ts';
import { makeBom } from '../support/contents.ts';
import { setEnvironment } from '../support/environment.ts';
import { FACTS, captureOutput, makeRefusal } from '../support/report.ts';
import { KIB, MIB } from '../support/samples.ts';
import { cleanUp } from '../support/scope.ts';
import { makePlan, makeScanFile } from '../support/plans.ts';

const LARGE = { ...FACTS, bodyBytes: 10 * MIB };

async function makePair(): Promise<UploadPlan> {
  const bom = { name: 'bom.cdx.json', displayPath: 'bom.cdx.json', size: 2 * KIB };
  const content = { ...makeBom(1, 0), tool: 'syft 1.38.0' };
  const report = { name: 'report.json', displayPath: 'report.json' };
  return makePlan(
    'upload-multiple-files',
    await makeScanFile({ ...bom, content }),
    await makeScanFile(report),
  );
}

function narrate(maxAttempts = 9): Narration {
  return narrateUpload(LARGE, maxAttempts, new Log());
}

describe('narrateParts', () => {
  test('tells of each file what it was taken for', async () => {
    const output = captureOutput();
    narrateParts(await makePair(), new Log());
    expect(output.lines).toEqual([
      "DependenciesCDX 'bom.cdx.json': 2.0 KiB, CycloneDX 1.6, by syft 1.38.0, 1 component, 0 vulnerabilities",
      "VulnerabilitiesTool 'report.json': 2 bytes, JSON of no known format",
    ]);
  });

  test('says of a file that was not read whole that nothing was counted', async () => {
    const output = captureOutput();
    const plan = await makePair();
    const parts = plan.parts.map((planned) => ({
      ...planned,
      file: { ...planned.file, content: { ...makeBom(), inspected: 'partial' } as const },
    }));
    narrateParts({ ...plan, parts }, new Log());
    expect(output.lines[0]).toBe(
      "DependenciesCDX 'bom.cdx.json': 2.0 KiB, CycloneDX 1.6, not read to its end",
    );
  });
});

describe('narrateOperation', () => {
  const OPERATION =
    'Operation: upload-multiple-files, POST https://scan.example/tenant/v1/scanner/upload-file';

  test('tells where everything goes, and the proxy on the way', async () => {
    const output = captureOutput();
    const plan = await makePair();
    narrateOperation(plan, FACTS, new Log());
    narrateOperation(plan, { ...FACTS, proxyHost: 'proxy.example:3128' }, new Log());
    expect(output.lines).toEqual([OPERATION, `${OPERATION} through the proxy proxy.example:3128`]);
  });
});

describe('narrateUpload', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    cleanUp(async () => void jest.useRealTimers());
  });

  test('tells of each attempt, and how many there may be', () => {
    const output = captureOutput();
    const narration = narrate();
    narration.onAttempt(1);
    narration.onAttempt(2);
    narrate(1).onAttempt(1);
    expect(output.lines).toEqual([
      'Attempt 1 of at most 9: sending 10.0 MiB ...',
      'Attempt 2 of at most 9: sending 10.0 MiB ...',
      'Attempt 1: sending 10.0 MiB ...',
    ]);
  });

  test('tells every five seconds how far it is, afresh for each request', () => {
    const output = captureOutput();
    const narration = narrate();
    for (const attempt of [1, 2]) {
      narration.onAttempt(attempt);
      narration.onRequest([]);
      for (let chunk = 0; chunk < 9; chunk += 1) {
        jest.advanceTimersByTime(2000);
        narration.onSent(MIB);
      }
    }
    const progress = [
      'Sent 3.0 MiB of 10.0 MiB (30 %)',
      'Sent 6.0 MiB of 10.0 MiB (60 %)',
      'Sent 9.0 MiB of 10.0 MiB (90 %)',
    ];
    const told = output.lines.filter((line) => !line.startsWith('::debug::'));
    expect(told).toEqual([
      expect.stringMatching(/^Attempt 1 /),
      ...progress,
      expect.stringMatching(/^Attempt 2 /),
      ...progress,
    ]);
  });

  test('says nothing of a short upload’s progress', () => {
    const output = captureOutput();
    const narration = narrate();
    narration.onAttempt(1);
    jest.advanceTimersByTime(4999);
    narration.onSent(10 * MIB);
    expect(output.lines).toHaveLength(1);
  });

  test('tells of an attempt’s fate, and of the wait before the next', () => {
    const output = captureOutput();
    const narration = narrate();
    narration.onAttempt(3);
    const cause = makeRefusal({ status: 503, text: '{"detail":"Busy."}' });
    narration.onRetry({ result: 'rejected', cause, retry: 'always', retryAfter: undefined }, 7400);
    expect(output.lines.slice(1)).toEqual([
      'Attempt 3: rejected. Busy.',
      'Waiting 7.4 s before the next attempt.',
    ]);
  });

  test('tells of headers and phases to those who debug', () => {
    setEnvironment({ RUNNER_DEBUG: '1' });
    const output = captureOutput();
    const narration = narrate();
    narration.onRequest(['Accept', 'Authorization']);
    narration.onPhases([
      { phase: 'connect', atMs: 0 },
      { phase: 'send', atMs: 12 },
    ]);
    expect(output.lines).toEqual([
      '::debug::Request headers: Accept, Authorization',
      '::debug::Phases: connect at 0 ms, send at 12 ms',
    ]);
  });
});
