import { describe, expect, jest, test } from '@jest/globals';
import { Log } from '../../src/report/log.ts';
import { narrateDryRun, narrateUploads } from '../../src/report/narrate.ts';
import type { UploadEvents } from '../../src/upload/upload-scan.ts';
import { ENTRY, captureOutput, findLines, makeScan } from '../support/report.ts';
import { makePair } from '../support/scans.ts';
import { MIB, SCAN_KEY, cleanUp } from '../support/workspace.ts';

const TARGET = {
  baseUrl: new URL('https://scan.example/tenant'),
  proxy: undefined,
  maxParallel: 4,
};
const OPERATION =
  'Operation: upload-multiple-files, POST https://scan.example/tenant/v1/scanner/upload-multiple-files';
const FIRST = 'Attempt 1: POST https://scan.example/tenant/v1/scanner/upload-multiple-files';

/** Starts to send a pair in an upload of 10 MiB. */
async function start(
  label?: string,
  target: Parameters<typeof narrateUploads>[1] = TARGET,
): Promise<UploadEvents> {
  const entry = { label, name: label, scanKey: SCAN_KEY, selection: [] };
  const scan = { entry, plan: await makePair() };
  return narrateUploads([scan], target, new Log()).onStart(scan, 10 * MIB);
}

describe('narrateDryRun', () => {
  const plan = makePair();
  const entry = { label: undefined, name: undefined, scanKey: '', selection: [] };

  test.each([
    [OPERATION, TARGET],
    ['Operation: upload-multiple-files', { baseUrl: undefined, proxy: undefined }],
  ])('logs the operation, and its URL if there is one: %s', async (operation, target) => {
    const output = captureOutput();
    narrateDryRun([{ entry, plan: await plan }], target, new Log());
    expect(output.lines).toEqual([
      operation,
      'Dry run: nothing was sent.',
      'Result: dry run: 1 component',
    ]);
  });

  test('logs several scans in a group, without those that have a result', async () => {
    const output = captureOutput();
    const log = new Log();
    const planned = ['a', 'b'].map(async (label) => ({
      entry: { ...entry, label },
      plan: await plan,
    }));
    const skipped = makeScan({ result: 'skipped', operation: undefined });
    narrateDryRun([...(await Promise.all(planned)), skipped], TARGET, log);
    log.endGroup();
    expect(output.lines).toEqual([
      '::group::Dry run of 2 scans',
      '[a] Dry run: nothing was sent.',
      '[a] Result: dry run: 1 component',
      '[b] Dry run: nothing was sent.',
      '[b] Result: dry run: 1 component',
      '::endgroup::',
    ]);
  });
});

describe('narrateUploads', () => {
  const url = new URL('http://proxy.example:3128');
  const proxy = { url, authorization: undefined };

  test.each([
    [FIRST, TARGET],
    [`${FIRST} through the proxy proxy.example:3128`, { ...TARGET, proxy }],
  ])('logs the URL and the proxy: %s', async (line, target) => {
    const output = captureOutput();
    (await start(undefined, target)).onAttempt(1);
    expect(output.lines).toEqual([line]);
  });

  const KEY = `scan key ${SCAN_KEY}`;

  test.each([
    [
      'that was accepted',
      {
        label: 'shop',
        says: ['Stored.'],
        serviceWarnings: ['Old.', 'Odd.'],
        manifest: [{ ...ENTRY, findings: 4 }],
      },
      [
        '[shop] The service says: Stored.',
        '::warning title=Scan upload (service) [shop]::[shop] Old.%0AOdd.',
        `[shop] Result: uploaded (200): 4 unrated; 1 attempt, 300 ms, ${KEY}`,
      ],
    ],
    [
      'that was rejected',
      { result: 'rejected', statusCode: 400, attempts: 3, durationMs: 7500 },
      [`Result: rejected (400); 3 attempts, 7.5 s, ${KEY}`],
    ],
    [
      'that was not sent',
      { result: 'not-sent', attempts: 0, durationMs: undefined, scanKey: '' },
      ['Result: not sent'],
    ],
  ] as const)('logs what became of a scan %s', (_, scan, lines) => {
    const output = captureOutput();
    narrateUploads([], TARGET, new Log()).onEnd(makeScan(scan));
    expect(output.lines).toEqual(lines);
  });

  test('logs attempts, waits, and progress at most every five seconds', async () => {
    jest.useFakeTimers();
    cleanUp(async () => void jest.useRealTimers());
    const output = captureOutput();
    const narration = await start();
    narration.onAttempt(1);
    narration.onState('connecting');
    narration.onState('sending');
    for (let sent = MIB; sent <= 7 * MIB; sent += MIB) {
      jest.advanceTimersByTime(2000);
      narration.onSent(sent);
    }
    narration.onState('waiting');
    narration.onRetry('Busy.', 0, 7400);
    narration.onAttempt(2);
    narration.onRetry('Busy.', 6000, 7400);
    expect(output.lines).toEqual([
      FIRST,
      'Sending 10.0 MiB',
      'Sent 3 of 10 MiB',
      'Sent 6 of 10 MiB',
      'Attempt 1 failed: Busy.',
      'Waiting 7.4 s before the next attempt.',
      'Attempt 2',
      'Attempt 2 failed: Busy.',
      'Waiting 7.4 s (the service asks for 6.0 s) before the next attempt.',
    ]);
  });

  test('measures progress from the start of each attempt', async () => {
    jest.useFakeTimers();
    cleanUp(async () => void jest.useRealTimers());
    const output = captureOutput();
    const narration = await start('shop');
    narration.onAttempt(1);
    narration.onRetry('Busy.', 0, 7400);
    jest.advanceTimersByTime(7400);
    narration.onAttempt(2);
    narration.onSent(315);
    expect(output.text).not.toContain('Sent');
    jest.advanceTimersByTime(6000);
    narration.onSent(5 * MIB);
    narration.onSent(10 * MIB);
    expect(findLines(output.text, 'Sent')).toEqual([
      '[shop] Sent 5 of 10 MiB',
      '[shop] Sent 10 of 10 MiB',
    ]);
  });

  test('logs of one of several scans only further attempts', async () => {
    const output = captureOutput();
    const narration = await start('shop');
    narration.onAttempt(1);
    narration.onState('sending');
    narration.onAttempt(2);
    expect(output.lines).toEqual(['[shop] Attempt 2']);
  });
});
