import { utimes } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import type { Failure } from '../../src/outcomes/failure.ts';
import type { PlannedScan, ScanResult } from '../../src/outcomes/scan-result.ts';
import { describeRepeats } from '../../src/stages/prepare.ts';
import { makeEntries, makeStages, FILE, getOperation } from '../support/scans.ts';
import type { Entry } from '../support/scans.ts';
import { SCAN_KEY, makeKey } from '../support/workspace.ts';

function makeEntry(key: number, path: string): Entry {
  return { 'scan-key': makeKey(key), 'scan-file': path };
}

async function prepare(
  ...stages: Parameters<typeof makeStages>
): Promise<readonly (PlannedScan | ScanResult)[]> {
  return (await makeStages(...stages)).prepare();
}

function getFailure(scan: PlannedScan | ScanResult | undefined): Failure | undefined {
  return scan !== undefined && 'result' in scan ? scan.failure : undefined;
}

describe('prepareScans', () => {
  test('plans every scan, in order, and says so after each', async () => {
    let inspected = 0;
    const stages = await makeStages(makeEntries('abc'));
    const scans = await stages.prepare(() => (inspected += 1));
    const plans = scans.map(({ entry, plan: made }) => {
      return [entry.name, made?.parts.map(({ file }) => file.displayPath).join()];
    });
    expect(plans).toEqual([
      ['a', 'a.json'],
      ['b', 'b.json'],
      ['c', 'c.json'],
    ]);
    expect(scans.some((scan) => 'result' in scan)).toBe(false);
    expect(inspected).toBe(3);
  });

  test('fails all scans if some are invalid, and reports the problems of each', async () => {
    const others = ['missing.json', '*.json', '..'].map((path) => makeEntry(9, path));
    const entries = [...makeEntries('abcd'), ...others];
    const scans = await prepare(entries, {}, { 'b.json': '{', 'd.json': '' });
    expect(scans.map((scan) => 'result' in scan && scan.result)).toEqual(Array(7).fill('not-sent'));
    // The report shows the files of those that were planned.
    expect(scans.map((scan) => scan.plan?.parts.length ?? 0)).toEqual([1, 1, 1, 1, 0, 0, 0]);
    const failures = scans.map(getFailure);
    const following =
      'Not tried, because other scans of the step are invalid: b, d, scans[4] and 2 more.';
    expect(failures).toMatchObject([
      { situation: 'other-scans', headline: following, fixes: [] },
      { situation: 'contents' },
      { situation: 'other-scans', headline: following, fixes: [] },
      { situation: 'contents' },
      { situation: 'files', fixes: [expect.stringMatching(/^Check the pattern, /)] },
      { situation: 'files', headline: expect.stringMatching(/matched 8 files/) },
      { situation: 'files', fixes: [expect.stringMatching(/^Write a path from the workspace, /)] },
    ]);
  });

  test.each(['warn', 'ignore'])(
    'skips only scans without files if if-no-files-found is %s',
    async (policy) => {
      const entries = [{ name: 'none', ...makeEntry(9, 'no.json') }, ...makeEntries('a')];
      expect(await prepare(entries, { 'if-no-files-found': policy })).toMatchObject([
        {
          entry: { name: 'none' },
          plan: undefined,
          result: 'skipped',
          skipped: expect.stringContaining("'no.json'"),
        },
        { entry: { name: 'a' }, plan: { parts: [{}] } },
      ]);
      const partly = [{ 'scan-key': makeKey(9), files: 'a.json\nno.json' }];
      const [scan] = await prepare(partly, { 'if-no-files-found': policy });
      expect(getFailure(scan)).toMatchObject({ situation: 'files' });
    },
  );

  test('fails a step without scans, and says how to allow it', async () => {
    const fixes = ['If there may be nothing to upload, set `if-no-files-found: ignore`.'];
    await expect(prepare([])).rejects.toMatchObject({ situation: 'files', fixes });
    expect(await prepare([], { 'if-no-files-found': 'warn' })).toEqual([]);
  });

  test('shows no part of a long pattern that matches nothing: it may be a secret', async () => {
    const entries = [makeEntry(9, `${'secret/'.repeat(400)}x.json`)];
    const [scan] = await prepare(entries, { 'if-no-files-found': 'warn' });
    expect(scan).toMatchObject({ skipped: expect.stringMatching(/^`scan-file`.* …$/) });
    expect(scan).toMatchObject({ skipped: expect.not.stringContaining('secret') });
  });

  test('ends with the reason of its signal', async () => {
    const reason = new CancelledError('SIGINT');
    const ended = prepare(makeEntries('ab'), {}, {}, AbortSignal.abort(reason));
    await expect(ended).rejects.toBe(reason);
  });
});

test('prepareScans marks files that were written before the job began', async () => {
  const stages = await makeStages(makeEntries('ab'));
  const written = Date.UTC(2026, 0, 2);
  await utimes(stages.locate('a.json'), written / 1000, written / 1000);
  const plans = await stages.prepare(() => {}, written + 60_000);
  const old = { name: 'old', text: 'written before this job began, on 02 Jan 2026' };
  expect(plans.map((scan) => scan.plan?.parts[0]?.marks)).toEqual([[old], []]);
  const [scan] = await stages.prepare(() => {}, written + 59_999);
  expect(scan?.plan?.parts[0]?.marks).toEqual([]);
});

function enter(label: string, scanKey = '', ...identities: readonly string[]): PlannedScan {
  const operation = getOperation('upload-multiple-files');
  const parts = identities.flatMap((identity, index) =>
    operation.parts.slice(index, index + 1).map((part) => ({ part, file: { ...FILE, identity } })),
  );
  return { entry: { label, name: label, scanKey, selection: [] }, plan: { operation, parts } };
}

const REPEATED =
  '. If they are different scans, give each its own key: the service may keep only one.';

test.each<[string, readonly PlannedScan[], readonly string[]]>([
  ['nothing if all differ, or have no key', [enter('a', 'k'), enter('b'), enter('c')], []],
  [
    'a key in upper and lower case',
    [enter('a', SCAN_KEY), enter('b', 'k'), enter('c', SCAN_KEY.toUpperCase())],
    [`a, c use the same scan key, ${SCAN_KEY}${REPEATED}`],
  ],
  [
    'two scans whose files are all the same, in any order',
    [enter('a', '', '1', '2'), enter('b', '', '2', '1'), enter('c', '', '1', '3')],
    ['a, b have the same files. If they are different scans, correct their paths.'],
  ],
])('describeRepeats reports %s', (_, scans, repeats) => {
  expect(describeRepeats(scans)).toEqual(repeats);
});
