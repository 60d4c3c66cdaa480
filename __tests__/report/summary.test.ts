import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Log } from '../../src/report/log.ts';
import type { ResultName } from '../../src/report/scan-result.ts';
import { makeSummary, writeSummary } from '../../src/report/summary.ts';
import { makeFolder } from '../support/directories.ts';
import { setEnvironment } from '../support/environment.ts';
import {
  ENTRY,
  FAILURE,
  SBOM_ENTRY,
  REPORT_ENTRY,
  captureOutput,
  makeBatch,
  makeScan,
  makeStep,
} from '../support/report.ts';
import { SCAN_KEY } from '../support/samples.ts';
import type { ScanSpec, SingleStep } from '../support/report.ts';

function make(step: SingleStep = {}): string {
  return makeSummary(makeStep(step));
}

const RUN = `scan key \`${SCAN_KEY}\` · \`upload-file\` · 1 attempt · 1.5 s · \`https://scan.example\``;

describe('makeSummary of one scan', () => {
  test('shows result, files, scan key, operation and digests', () => {
    expect(make().split('\n\n')).toEqual([
      '### ✅ Scan upload accepted (200)',
      '| Part | File | Format | Size |\n| :--- | :--- | :--- | ---: |\n| ScanJsonFile | `out/scan.json` | JSON | 1.2\u00a0KiB |',
      RUN,
      '<details><summary>Digests (SHA256)</summary>',
      `- ScanJsonFile: \`${ENTRY.sha256}\``,
      '</details>',
    ]);
  });

  test('leaves out unknown facts', () => {
    const { sha256: _digest, ...entry } = ENTRY;
    const step = { operation: undefined, origin: undefined, statusCode: undefined, attempts: 0 };
    const summary = make({ ...step, result: 'dry-run', scanKey: undefined, manifest: [entry] });
    expect(summary.split('\n\n').slice(1)).toEqual(['1.5 s']);
    expect(summary).toMatch(/^### ☑️ Scan upload dry run\n/);
  });

  test.each<[ResultName, string]>([
    ['accepted', '✅ Scan upload accepted'],
    ['dry-run', '☑️ Scan upload dry run'],
    ['skipped', '⏭️ Scan upload skipped'],
    ['rejected', '❌ Scan upload rejected'],
    ['not-sent', '❌ Scan upload not sent'],
    ['unconfirmed', '❓ Scan upload unconfirmed'],
  ])('shows for the result %s the heading %s', (result, heading) => {
    expect(make({ result, statusCode: undefined }).split('\n')[0]).toBe(`### ${heading}`);
  });

  test('says why a scan was skipped', () => {
    const scan = { manifest: [], statusCode: undefined, operation: undefined, attempts: 0 };
    const summary = make({ ...scan, result: 'skipped', skipped: '`files`: no file matches @x.' });
    expect(summary.split('\n\n').slice(0, 2)).toEqual([
      '### ⏭️ Scan upload skipped',
      '`files`: no file matches `@x`.',
    ]);
    const none = makeSummary(makeBatch([]));
    expect(none).toContain('\n\n`scans` has no entries.\n\n');
  });

  test('marks files with warnings, and lists each warning once below them', () => {
    const warnings = ['a.json is **truncated**.', 'Both are swapped.'];
    const manifest = [
      { ...SBOM_ENTRY, warnings },
      { ...REPORT_ENTRY, warnings: ['Both are swapped.'] },
    ];
    const [, table = '', list] = make({ manifest }).split('\n\n');
    expect(table.match(/\| ⚠️ `/g)).toHaveLength(2);
    expect(list).toBe('- ⚠️ `a.json` is `**truncated**`.\n- ⚠️ Both are swapped.');
    expect(make()).not.toContain('⚠️');
  });

  test('shows a failure as the problem in a fence, the fix, re-run advice, then the files', () => {
    const failure = { ...FAILURE, rerun: 'time' } as const;
    const blocks = make({ result: 'rejected', statusCode: 400, failure }).split('\n\n');
    expect(blocks.slice(0, 7)).toEqual([
      '### ❌ Scan upload rejected (400)',
      '```text\nThe scan key is not known.\nScanKey: is not known\nTrace id of the requests: 1\n```',
      '**How to fix it**',
      '- Check `scan-key`.',
      'If the cause was temporary, re-run the failed jobs.',
      expect.stringMatching(/^\| Part \| File \|/),
      RUN,
    ]);
  });
});

function makeMany(scans: readonly ScanSpec[]): string {
  const results = scans.map((scan, index) => makeScan({ label: `s${index}`, ...scan }));
  return makeSummary(makeBatch(results));
}

function repeat(count: number, scan: ScanSpec = {}): ScanSpec[] {
  return Array.from({ length: count }, () => scan);
}

describe('makeSummary of several scans', () => {
  const FAILED = { result: 'rejected', failure: FAILURE } as const;

  test('shows the counts, the failures, their fix, a row for each scan, and the run', () => {
    const failure = { ...FAILURE, rerun: 'time' } as const;
    expect(makeMany([{}, { result: 'rejected', failure }]).split('\n\n')).toEqual([
      '### ❌ Scan uploads: 1 rejected, 1 accepted',
      '**rejected**: `s1`',
      expect.stringMatching(/^```text\nThe scan key is not known\./),
      '**How to fix it**',
      '- Check `scan-key`.',
      'If the cause was temporary, re-run the failed jobs. A re-run sends every scan again, including those that were accepted.',
      expect.stringMatching(/^\| Scan \| Result \| Reason \| Files \| Size \|/),
      '2 attempts · 1.5 s · `https://scan.example`',
      '<details><summary>Scan keys and digests (SHA256)</summary>',
      [1, 0]
        .map((n) => `- \`s${n}\`: \`${SCAN_KEY}\`, ScanJsonFile: \`${ENTRY.sha256}\``)
        .join('\n'),
      '</details>',
    ]);
  });

  test('lists the digests of each scan below the table, also without a key', () => {
    const { sha256 } = ENTRY;
    const summary = makeMany([
      { manifest: [ENTRY, { ...ENTRY, part: 'DependenciesCDX' }] },
      { scanKey: undefined },
      { scanKey: undefined, manifest: [] },
    ]);
    expect(summary.split('\n\n').at(-2)?.split('\n')).toEqual([
      `- \`s0\`: \`${SCAN_KEY}\`, ScanJsonFile: \`${sha256}\`, DependenciesCDX: \`${sha256}\``,
      `- \`s1\`: ScanJsonFile: \`${sha256}\``,
    ]);
  });

  test('shows no part of a word that is too long for the column of reasons', () => {
    const failure = {
      ...FAILURE,
      headline: `\`files\`: no file matches '${'secret'.repeat(30)}'.`,
    };
    const [, row = ''] =
      /\n(\| `s0`.*)/.exec(makeMany([{ result: 'rejected', failure }, {}])) ?? [];
    expect(row).toContain('no file matches `…` |');
    expect(row).not.toContain('secret');
  });

  // The order of rows is tested in __tests__/properties/summary.test.ts.
  test.each([
    [100, undefined],
    [1000, 'And 900 accepted.'],
  ])('shows %i scans in at most 100 rows, and counts the rest: %s', (count, rest) => {
    const summary = makeMany(repeat(count));
    expect(summary.match(/^\| `s\d+` /gm)).toHaveLength(100);
    expect(/\n\n(And .*)\n\n/.exec(summary)?.[1]).toBe(rest);
  });

  test('counts the scans that are left out by their result', () => {
    const scans = [...repeat(5), ...repeat(101, FAILED), ...repeat(2, { result: 'skipped' })];
    expect(makeMany(scans)).toContain('\n\nAnd 1 rejected, 2 skipped, 5 accepted.\n\n');
  });

  test('shows a failure that other scans caused in one line', () => {
    const headline = 'Not sent: other scans in this step are invalid (s0).';
    const following = { ...FAILURE, headline, situation: 'other-scans' } as const;
    const summary = makeMany([FAILED, ...repeat(2, { result: 'not-sent', failure: following })]);
    expect(summary.match(/^```text$/gm)).toHaveLength(1);
    expect(summary).toMatch(
      /\n\n`s1`, `s2`: Not sent: other scans in this step are invalid \(.*\n\n/,
    );
  });

  test.each([
    [5, undefined],
    [6, 'And 1 more failure: see the log, or the output `results-path`.'],
    [40, 'And 35 more failures: see the log, or the output `results-path`.'],
  ])('shows five of %i failures in full, and counts the others: %s', (count, more) => {
    const failed = Array.from({ length: count }, (_, index) => ({
      ...FAILED,
      failure: { ...FAILURE, headline: `${index} is wrong.` },
    }));
    const summary = makeMany(failed);
    expect(summary.match(/^```text$/gm)).toHaveLength(5);
    expect(/\n\n(And .*)\n\n/.exec(summary)?.[1]).toBe(more);
  });
});

describe('writeSummary', () => {
  test('adds to the job summary at once, because all threads of Node may be busy', async () => {
    const file = join(await makeFolder(), 'summary.md');
    await writeFile(file, '# before\n');
    setEnvironment({ GITHUB_STEP_SUMMARY: file });
    const output = captureOutput();
    writeSummary(makeStep(), new Log());
    expect(readFileSync(file, 'utf8')).toBe(`# before\n${make()}\n`);
    expect(output.text).toBe('');
  });

  test.each([
    ['is a directory', '.', /^EISDIR/],
    ['is not named', undefined, /^GITHUB_STEP_SUMMARY is not set/],
    ['has an empty name', '', /^GITHUB_STEP_SUMMARY is not set/],
    ['does not exist', 'gone/summary', /^ENOENT/],
  ])('logs that no summary was written if the file %s', async (_, name, reason) => {
    const directory = await makeFolder();
    setEnvironment({ GITHUB_STEP_SUMMARY: name && join(directory, name) });
    const output = captureOutput();
    writeSummary(makeStep(), new Log());
    const [line = '', ...others] = output.lines;
    expect(others).toEqual([]);
    expect(line).toMatch(/^No job summary was written: /);
    expect(line.replace(/^.*?: /, '')).toMatch(reason);
  });
});
