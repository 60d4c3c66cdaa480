import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { UploadPlan } from '../../src/plan/plan.ts';
import { Log } from '../../src/report/log.ts';
import {
  narrateBatch,
  narrateOperation,
  narrateParts,
  narrateUpload,
} from '../../src/report/narrate.ts';
import type { Narration } from '../../src/report/narrate.ts';
import { makeBom } from '../support/contents.ts';
import { makePlan, makeScanFile } from '../support/plans.ts';
import { KIB, MIB } from '../support/samples.ts';
import { cleanUp } from '../support/scope.ts';
import { setEnvironment } from '../support/environment.ts';
import { FACTS, captureOutput, makeRefusal } from '../support/report.ts';

const LARGE = { ...FACTS, bodyBytes: 10 * MIB };
const OPERATION = `Operation: upload-multiple-files, POST ${FACTS.address}`;

beforeEach(() => setEnvironment({ RUNNER_DEBUG: undefined }));

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

describe('narrateBatch', () => {
  test('says how many scans are sent, and how many in parallel, if there are several', () => {
    const output = captureOutput();
    for (const scans of [0, 1, 7]) narrateBatch(scans, 4, 'https://scan.example', new Log());
    expect(output.lines).toEqual(['Sending 7 scans to https://scan.example, 4 at a time ...']);
  });
});

describe('narrateParts', () => {
  test('says of each file what it was recognised as', async () => {
    const output = captureOutput();
    narrateParts(await makePair(), new Log());
    expect(output.lines).toEqual([
      "DependenciesCDX 'bom.cdx.json': 2.0 KiB, CycloneDX 1.6, by syft 1.38.0, 1 component, 0 vulnerabilities",
      "VulnerabilitiesTool 'report.json': 2 bytes, JSON of no known format",
    ]);
  });
});

describe('narrateOperation', () => {
  test('names the address, and the proxy', async () => {
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

  test('says which attempt starts, and how many there may be', () => {
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

  test('reports progress no sooner than every five seconds, from zero for each request', () => {
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
    expect(output.lines).toEqual([
      expect.stringMatching(/^Attempt 1 /),
      ...progress,
      expect.stringMatching(/^Attempt 2 /),
      ...progress,
    ]);
  });

  test('says how an attempt ended, and how long it waits before the next', () => {
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
});

describe('the log of a scan among several', () => {
  test.each([
    [undefined, ['[shop] Attempt 2: sending 1.5 KiB ...']],
    [
      '1',
      [
        `::debug::[shop] ${OPERATION}`,
        '::debug::[shop] Attempt 1: sending 1.5 KiB ...',
        '::debug::[shop] Request headers: Accept, Authorization',
        '::debug::[shop] Phases: connect at 0 ms, send at 12 ms',
        '[shop] Attempt 2: sending 1.5 KiB ...',
      ],
    ],
  ])('with RUNNER_DEBUG=%s names it in each line', async (debug, lines) => {
    setEnvironment({ RUNNER_DEBUG: debug });
    const output = captureOutput();
    const log = new Log().named('shop');
    narrateOperation(await makePair(), FACTS, log);
    const narration = narrateUpload(FACTS, 1, log);
    narration.onAttempt(1);
    narration.onRequest(['Accept', 'Authorization']);
    narration.onPhases([
      { phase: 'connect', atMs: 0 },
      { phase: 'send', atMs: 12 },
    ]);
    narration.onAttempt(2);
    expect(output.lines).toEqual(lines);
  });
});
