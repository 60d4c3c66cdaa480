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

const SEE = 'see the log, or the output `results-path`.';
const PUSH =
  'Re-runs use the original workflow and files: push a change of them to start a new run.';
const CHECK =
  'Check the service before a re-run: it may have the scan, and a re-run sends it again.';
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

  test('marks files with warnings, and lists each warning once below them, at most ten', () => {
    const warnings = ['a.json is **truncated**.', 'Both are swapped.'];
    const manifest = [
      { ...SBOM_ENTRY, warnings },
      { ...REPORT_ENTRY, warnings: ['Both are swapped.'] },
    ];
    const [, table = '', list] = make({ manifest }).split('\n\n');
    expect(table.match(/\| ⚠️ `/g)).toHaveLength(2);
    expect(list).toBe('- ⚠️ `a.json` is `**truncated**`.\n- ⚠️ Both are swapped.');
    expect(make()).not.toContain('⚠️');
    const many = Array.from({ length: 12 }, (_, index) => `Warning ${index}.`);
    const long = make({ manifest: [{ ...ENTRY, warnings: many }] });
    expect(long.match(/^- ⚠️ /gm)).toHaveLength(10);
    expect(long).toContain(`\n\nAnd 2 more warnings: ${SEE}\n\n`);
  });

  test.each<[ResultName, string]>([
    ['rejected', PUSH],
    ['unconfirmed', CHECK],
  ])(
    'shows a failure, its fix, what to know of a re-run if %s, then the files',
    (result, rerun) => {
      const blocks = make({ result, statusCode: 400, failure: FAILURE }).split('\n\n');
      expect(blocks.slice(1, 7)).toEqual([
        '```text\nThe scan key is not known.\nScanKey: is not known\nTrace id of the requests: 1\n```',
        '**How to fix it**',
        '- Check `scan-key`.',
        rerun,
        expect.stringMatching(/^\| Part \| File \|/),
        RUN,
      ]);
    },
  );
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

  test('shows the counts, the failures, their fix, a row for each file, and the run', () => {
    const { sha256 } = ENTRY;
    const scans = [
      { manifest: [SBOM_ENTRY, REPORT_ENTRY] },
      FAILED,
      { scanKey: undefined, manifest: [] },
    ];
    expect(makeMany(scans).split('\n\n')).toEqual([
      '### ❌ Scan uploads: 1 rejected, 2 accepted',
      'Scan upload rejected (400): `s1`',
      expect.stringMatching(/^```text\nThe scan key is not known\./),
      '**How to fix it**',
      '- Check `scan-key`.',
      PUSH,
      expect.stringMatching(/^\| Scan \| Result \| Reason \| Part \| File \| .*(\n\|.*){5}$/),
      '3 attempts · 1.5 s · `https://scan.example`',
      '<details><summary>Scan keys and digests (SHA256)</summary>',
      [
        `- \`s1\`: \`${SCAN_KEY}\`, ScanJsonFile: \`${sha256}\``,
        `- \`s0\`: \`${SCAN_KEY}\`, DependenciesCDX: \`${sha256}\``,
        `- VulnerabilitiesTool: \`${sha256}\``,
      ].join('\n'),
      '</details>',
    ]);
  });

  // The order of rows is tested in __tests__/properties/summary.test.ts.
  test.each<[string, readonly ScanSpec[], string | undefined]>([
    ['100 files', repeat(100), undefined],
    ['101 files', repeat(101), `And 1 more row: ${SEE}`],
    [
      '600 pairs of files',
      repeat(600, { manifest: [SBOM_ENTRY, REPORT_ENTRY] }),
      `And 1100 more rows: ${SEE}`,
    ],
    ['1,000 scans without files', repeat(1000, { manifest: [] }), `And 900 more rows: ${SEE}`],
  ])('shows %s in at most 100 rows: %s', (_, scans, rest) => {
    const [table = '', after] = makeMany(scans).split('\n\n').slice(1);
    expect(table.split('\n')).toHaveLength(102);
    expect(after?.startsWith('And ') === true ? after : undefined).toBe(rest);
  });

  test.each([
    [5, undefined],
    [6, `And 1 more failure: ${SEE}`],
    [40, `And 35 more failures: ${SEE}`],
  ])('shows five of %i failures in full, and counts the others: %s', (count, more) => {
    const failed = Array.from({ length: count }, (_, index) => ({
      ...FAILED,
      failure: { ...FAILURE, headline: `${index} is wrong.` },
    }));
    const summary = makeMany(failed);
    expect(summary.match(/^```text$/gm)).toHaveLength(5);
    expect(/\n\n(And .*)\n\n/.exec(summary)?.[1]).toBe(more);
  });

  test('shows equal failures once, with the lines that all of them have', () => {
    const summary = makeMany(
      repeat(300).map((_, index) => ({
        ...FAILED,
        failure: { ...FAILURE, traces: [`Trace id of the requests: ${index}`] },
      })),
    );
    expect(summary).toContain('\n\nScan upload rejected (400): `s0`, `s1`, `s2` and 297 more\n\n');
    expect(summary.match(/^```text$/gm)).toHaveLength(1);
    expect(summary).not.toContain('Trace id');
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
