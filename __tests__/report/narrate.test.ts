import { describe, expect, jest, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import type { ScanFile } from '../../src/formats/inspect.ts';
import type { SeverityCounts } from '../../src/formats/severity.ts';
import type { UploadPlan } from '../../src/plan/plan.ts';
import { safe } from '../../src/redaction/gate.ts';
import { Log } from '../../src/report/log.ts';
import {
  narrateDryRun,
  narrateFiles,
  narratePhase,
  narrateUploads,
} from '../../src/report/narrate.ts';
import type { UploadEvents } from '../../src/upload/upload.ts';
import { makeBom, makePlan, makeScanFile } from '../support/plans.ts';
import { captureOutput, makeScan } from '../support/report.ts';
import { KIB, MIB, SCAN_KEY } from '../support/samples.ts';
import { cleanUp } from '../support/scope.ts';

const TARGET = {
  baseUrl: new URL('https://scan.example/tenant'),
  proxy: undefined,
  maxParallel: 4,
};
const OPERATION =
  'Operation: upload-multiple-files, POST https://scan.example/tenant/v1/scanner/upload-multiple-files';
const FIRST = 'Attempt 1: connecting to https://scan.example';
const WRITTEN = Date.UTC(2026, 0, 2);

async function makePair(): Promise<UploadPlan> {
  const content = { ...makeBom(1, 0), tool: 'syft 1.38.0' };
  const bom = await makeScanFile({ name: 'bom.cdx.json', size: 2 * KIB, content });
  return makePlan('upload-multiple-files', bom, await makeScanFile({ name: 'report.json' }));
}

const UNSTOPPED = new AbortController().signal;

/** The lines that `write` logs. */
async function logLines(write: (log: Log) => Promise<void>): Promise<readonly string[]> {
  const output = captureOutput();
  await write(new Log());
  return output.lines;
}

/** The lines about the files of a plan, for a job that began then. */
async function logFiles(plan: UploadPlan, jobStart = -Infinity): Promise<readonly string[]> {
  const scan = {
    entry: { label: undefined, name: undefined, scanKey: '', selection: [] },
    plan,
  };
  return logLines((log) => narrateFiles([scan], 'error', jobStart, UNSTOPPED, log));
}

/** Starts to send a pair in an upload of 10 MiB. */
async function start(
  label?: string,
  target: Parameters<typeof narrateUploads>[1] = TARGET,
): Promise<UploadEvents> {
  const entry = { label, name: label, scanKey: SCAN_KEY, selection: [] };
  const scan = { entry, plan: await makePair() };
  return narrateUploads([scan], target, new Log()).onStart(scan, 10 * MIB);
}

function count(counts: Partial<SeverityCounts>): SeverityCounts {
  return { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, ...counts };
}

describe('narratePhase', () => {
  const TITLE = 'Inspecting ##[error]scans';

  test.each([0, 1])('starts no group for %i scans', (scans) => {
    const output = captureOutput();
    narratePhase(TITLE, scans, new Log())();
    expect(output.lines).toEqual([]);
  });

  test('puts the lines of several scans into a group, which the next phase ends', () => {
    const output = captureOutput();
    const log = new Log();
    narratePhase(TITLE, 2, log);
    log.info(safe`a line`);
    narratePhase('Sending', 2, log);
    log.endGroup();
    log.endGroup();
    expect(output.lines).toEqual([
      '::group::Inspecting ## [error]scans',
      'a line',
      '::endgroup::',
      '::group::Sending',
      '::endgroup::',
    ]);
  });

  test('logs every five seconds how many scans have passed the phase', () => {
    jest.useFakeTimers();
    cleanUp(async () => void jest.useRealTimers());
    const output = captureOutput();
    const advance = narratePhase(TITLE, 400, new Log());
    for (let scan = 0; scan < 12; scan += 1) {
      jest.setSystemTime(Date.now() + 1000);
      jest.advanceTimersByTime(1000);
      advance();
    }
    expect(output.lines.slice(1)).toEqual(['5 of 400 scans', '10 of 400 scans']);
  });
});

describe('narrateFiles', () => {
  test('logs what each file was recognised as', async () => {
    expect(await logFiles(await makePair())).toEqual([
      "DependenciesCDX 'bom.cdx.json': 2.0 KiB, CycloneDX 1.6, by syft 1.38.0, 1 component, 0 vulnerabilities",
      "VulnerabilitiesTool 'report.json': 2 bytes, JSON of no known format",
    ]);
  });

  const grype = { format: 'grype', inspected: 'full' } as const;
  const mtimeNs = BigInt(WRITTEN) * 1_000_000n;
  test.each<[string, Partial<ScanFile>, number]>([
    [
      '1,204 findings: 1,200 info, 4 unrated',
      { content: { ...grype, findings: 1204, severities: count({ none: 1200, unknown: 4 }) } },
      -Infinity,
    ],
    ['0 findings', { content: { ...grype, findings: 0, severities: count({}) } }, -Infinity],
    ['7 findings', { content: { ...grype, findings: 7 } }, -Infinity],
    ['of shop, 7 findings', { content: { ...grype, subject: 'shop', findings: 7 } }, -Infinity],
    ['JSON of no known format', { mtimeNs }, WRITTEN + 59_999],
    [
      'JSON of no known format, written before this job began, on Fri, 02 Jan 2026 00:00:00 GMT',
      { mtimeNs },
      WRITTEN + 60_000,
    ],
  ])(
    'logs the severities that there are, and that a file is older than the job: %s',
    async (facts, file, jobStart) => {
      const lines = await logFiles(makePlan('upload-file', await makeScanFile(file)), jobStart);
      expect(lines.map((line) => line.replace(/^.* bytes, (?:Grype, )?/, ''))).toEqual([facts]);
    },
  );

  test('logs the marks of a file', async () => {
    const { operation, parts } = await makePair();
    const marked = parts.map((part) => ({ ...part, marks: ['not checked'] }));
    const [, line] = await logFiles({ operation, parts: marked });
    expect(line).toMatch(/JSON of no known format, not checked$/);
  });

  test('logs a warning about two files once', async () => {
    const { operation, parts } = await makePair();
    const warned = parts.map((part) => ({ ...part, warnings: ['Both are swapped.'] }));
    const lines = await logFiles({ operation, parts: warned });
    expect(lines.slice(2)).toEqual(['::warning title=Scan file::Both are swapped.']);
  });

  test.each([
    ['warn', '::warning title=Scan upload skipped::'],
    ['ignore', 'Skipped: '],
  ] as const)('says as if-no-files-found: %s why nothing is sent', async (noFiles, first) => {
    const skipped = makeScan({ result: 'skipped', operation: undefined, skipped: 'No file.' });
    const write = (scans: Parameters<typeof narrateFiles>[0]) =>
      logLines((log) => narrateFiles(scans, noFiles, -Infinity, UNSTOPPED, log));
    expect(await write([])).toEqual([`${first}\`scans\` has no entries.`]);
    expect(await write([skipped])).toEqual([`${first}No file.`]);
  });
});

test('narrateFiles gives a signal its turn before each scan', async () => {
  const stop = new AbortController();
  const reason = new CancelledError('SIGINT');
  setImmediate(() => stop.abort(reason));
  const skipped = makeScan({ result: 'skipped', operation: undefined, skipped: 'No file.' });
  const logging = narrateFiles([skipped, skipped], 'ignore', -Infinity, stop.signal, new Log());
  await expect(logging).rejects.toBe(reason);
});

describe('narrateDryRun', () => {
  const plan = makePair();
  const entry = { label: undefined, name: undefined, scanKey: '', selection: [] };

  test.each([
    [TARGET, OPERATION],
    [{ baseUrl: undefined, proxy: undefined }, 'Operation: upload-multiple-files'],
  ])('logs the operation, and its URL if there is one (%#)', async (target, operation) => {
    const output = captureOutput();
    narrateDryRun([{ entry, plan: await plan }], target, new Log());
    expect(output.lines).toEqual([operation, 'Dry run: nothing was sent.', 'Result: dry run']);
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
      '[a] Result: dry run',
      '[b] Dry run: nothing was sent.',
      '[b] Result: dry run',
      '::endgroup::',
    ]);
  });
});

describe('narrateUploads', () => {
  const url = new URL('http://proxy.example:3128');
  const proxy = { url, authorization: undefined };

  test.each([
    [TARGET, OPERATION],
    [{ ...TARGET, proxy }, `${OPERATION} through the proxy proxy.example:3128`],
  ])('logs the URL and the proxy (%#)', async (target, line) => {
    const output = captureOutput();
    await start(undefined, target);
    expect(output.lines).toEqual([line]);
  });

  const KEY = `scan key ${SCAN_KEY}`;

  test.each([
    [
      { label: 'shop', says: ['Stored.'], serviceWarnings: ['Old.', 'Odd.'] },
      [
        '[shop] The service accepted out/scan.json (1.2 KiB).',
        '[shop] The service says: Stored.',
        '::warning title=Scan upload (service) [shop]::[shop] Old.%0AOdd.',
        `[shop] Result: accepted (200) after 1 attempt, 300 ms, ${KEY}`,
      ],
    ],
    [
      { result: 'rejected', statusCode: 400, attempts: 3, durationMs: 7500, says: ['No.'] },
      [`Result: rejected (400) after 3 attempts, 7.5 s, ${KEY}`],
    ],
    [{ result: 'not-sent', attempts: 0, durationMs: undefined, scanKey: '' }, ['Result: not sent']],
  ] as const)('logs what became of a scan (%#)', (scan, lines) => {
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
    narration.onRetry(safe`Busy.`, 0, 7400);
    narration.onAttempt(2);
    narration.onRetry(safe`Busy.`, 6000, 7400);
    expect(output.lines.slice(1)).toEqual([
      FIRST,
      'Sending 10.0 MiB',
      'Sent 3 of 10 MiB',
      'Sent 6 of 10 MiB',
      'Attempt 1 failed: Busy.',
      'Waiting 7.4 s before the next attempt.',
      FIRST.replace('1', '2'),
      'Attempt 2 failed: Busy.',
      'Waiting 7.4 s (the service asks for 6.0 s) before the next attempt.',
    ]);
  });

  test('logs of one of several scans only further attempts', async () => {
    const output = captureOutput();
    const narration = await start('shop');
    narration.onAttempt(1);
    narration.onState('sending');
    narration.onAttempt(2);
    expect(output.lines).toEqual([`[shop] ${FIRST.replace('1', '2')}`]);
  });
});
