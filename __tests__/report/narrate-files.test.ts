import { describe, expect, jest, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import type { UploadPlan } from '../../src/plan/plan.ts';
import { Log } from '../../src/report/log.ts';
import { narrateFiles, narratePhase } from '../../src/report/narrate.ts';
import { MARK, captureOutput, makeScan } from '../support/report.ts';
import { makeContent, makePair, makePlan, makeScanFile } from '../support/scans.ts';
import { cleanUp } from '../support/workspace.ts';

const UNSTOPPED = new AbortController().signal;

/** The lines that `write` logs. */
async function logLines(write: (log: Log) => Promise<void>): Promise<readonly string[]> {
  const output = captureOutput();
  await write(new Log());
  return output.lines;
}

/** The lines about the files of a plan. */
async function logFiles(plan: UploadPlan): Promise<readonly string[]> {
  const scan = {
    entry: { label: undefined, name: undefined, scanKey: '', selection: [] },
    plan,
  };
  return logLines((log) => narrateFiles([scan], 'error', UNSTOPPED, log));
}

describe('narratePhase', () => {
  const TITLE = 'Inspecting';

  test.each([0, 1])('starts no group for %i scans', (scans) => {
    const output = captureOutput();
    narratePhase(TITLE, scans, new Log())();
    expect(output.lines).toEqual([]);
  });

  test('puts the lines of several scans into a group, which the next phase ends', () => {
    const output = captureOutput();
    const log = new Log();
    narratePhase(TITLE, 2, log);
    log.info('a line');
    narratePhase('Sending', 2, log);
    log.endGroup();
    log.endGroup();
    expect(output.lines).toEqual([
      '::group::Inspecting',
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
  test.each([
    ['a tool', 'lint', 'SARIF before 2.1 is not counted.'],
    [
      "one of .NET's compilers",
      'Microsoft (R) Visual C# Compiler 5.9.0',
      'SARIF before 2.1 is not counted. Build with `-p:ErrorLog=out.sarif%2cversion=2.1`: after a plain comma the version stays 1.0.',
    ],
  ])('says why an earlier SARIF of %s is not counted', async (_, tool, reason) => {
    const content = makeContent({ format: 'sarif', specVersion: '1.0.0', tool });
    const file = await makeScanFile({ content });
    const [line, ...others] = await logFiles(makePlan('upload-file', file));
    expect(line).toContain(`SARIF 1.0.0 by ${tool}`);
    expect(others).toEqual([reason]);
  });

  test('logs what each file was recognised as', async () => {
    expect(await logFiles(await makePair())).toEqual([
      "SBOM 'bom.cdx.json': 2.0 KiB, CycloneDX 1.6 by syft 1.38.0, 1 component, 0 findings",
      "Report 'report.json': 2 bytes, JSON of no known format",
    ]);
  });

  test('logs the marks of a file', async () => {
    const { operation, parts } = await makePair();
    const marked = parts.map((part) => ({ ...part, marks: [MARK] }));
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
      logLines((log) => narrateFiles(scans, noFiles, UNSTOPPED, log));
    expect(await write([])).toEqual([`${first}\`scans\` has no entries.`]);
    expect(await write([skipped])).toEqual([`${first}No file.`]);
  });
});

test('narrateFiles gives a signal its turn before each scan', async () => {
  const stop = new AbortController();
  const reason = new CancelledError('SIGINT');
  setImmediate(() => stop.abort(reason));
  const skipped = makeScan({ result: 'skipped', operation: undefined, skipped: 'No file.' });
  const logging = narrateFiles([skipped, skipped], 'ignore', stop.signal, new Log());
  await expect(logging).rejects.toBe(reason);
});
