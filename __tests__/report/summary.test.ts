import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Log } from '../../src/report/log.ts';
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
  makeFailure,
  makeScan,
  makeStep,
} from '../support/report.ts';
import { SCAN_KEY } from '../support/samples.ts';
import type { FailureSpec, ScanSpec } from '../support/report.ts';

/** The blocks of the summary of one scan. */
function make(step: ScanSpec = {}): readonly string[] {
  return makeSummary(makeStep(step)).split('\n\n');
}

/** The blocks of the summary of several scans, `s0` and so on. */
function makeMany(scans: readonly ScanSpec[]): readonly string[] {
  const results = scans.map((scan, index) => makeScan({ label: `s${index}`, ...scan }));
  return makeSummary(makeBatch(results)).split('\n\n');
}

function repeat(count: number, specify: (index: number) => ScanSpec = () => ({})): ScanSpec[] {
  return Array.from({ length: count }, (_, index) => specify(index));
}

const FAILED = { result: 'rejected', failure: FAILURE } as const;

function failWith(spec: FailureSpec): ScanSpec {
  return { ...FAILED, failure: makeFailure(spec) };
}

const MORE = 'There is more in the log, and in the file of the output `results-path`.';
const RUN = `scan key \`${SCAN_KEY}\` · \`upload-file\` · 1 attempt · 300 ms · \`https://scan.example\``;
const FENCED =
  '```text\nThe scan key is not known.\nScanKey: is not known\nTrace id of the requests: 1\n```';
const FIX = ['**How to fix it**', '- Check `scan-key`.'];
const TABLE = expect.stringMatching(/^\| Part .*\n\| :--- .*\n\| ScanJsonFile .*\|$/);
const { sha256, ...UNREAD } = ENTRY;
const FOLDED = [
  '<details><summary>Digests (SHA256)</summary>',
  `- ScanJsonFile: \`${sha256}\``,
  '</details>',
];
const DRY = 'Nothing was uploaded: `dry-run` is `true`.';
const UNKNOWN = { operation: undefined, statusCode: undefined, attempts: 0, scanKey: '' };
const MANY_WARNINGS = { ...ENTRY, warnings: Array.from({ length: 101 }, (_, index) => `${index}`) };

describe('makeSummary of one scan', () => {
  const accepted = '### ✅ Scan upload accepted (200)';
  const rejected = '### ❌ Scan upload rejected (400)';
  const skipped = { result: 'skipped', skipped: '`files`: no file matches @x.' } as const;
  test.each<[string, ScanSpec, readonly unknown[]]>([
    ['result, files, run and digests', {}, [accepted, TABLE, RUN]],
    [
      'first a failure, then what to do',
      { ...FAILED, statusCode: 400 },
      [rejected, FENCED, ...FIX, TABLE, RUN],
    ],
    [
      'no advice where there is none',
      { ...failWith({ fixes: [] }), statusCode: 400 },
      [rejected, FENCED, TABLE, RUN],
    ],
    [
      'no unknown facts',
      { ...UNKNOWN, result: 'dry-run', manifest: [UNREAD] },
      ['### ☑️ Scan upload dry run', DRY],
    ],
    [
      'why a scan was skipped',
      { ...UNKNOWN, ...skipped, manifest: [] },
      ['### ⏭️ Scan upload skipped', '- `files`: no file matches `@x`.'],
    ],
  ])('shows %s', (_, step, blocks) => {
    const isRead = step.manifest === undefined;
    expect(make(step)).toEqual([...blocks, ...(isRead ? FOLDED : [])]);
  });

  test('says that `scans` has no entries', () => {
    const blocks = makeSummary(makeBatch([])).split('\n\n');
    expect(blocks.slice(0, 2)).toEqual(['### ⏭️ Scan upload skipped', '`scans` has no entries.']);
  });

  test('marks files with warnings, and lists each warning once below them', () => {
    const swapped = 'Both are swapped.';
    const manifest = [
      { ...SBOM_ENTRY, warnings: ["'a.json' is truncated.", swapped] },
      { ...REPORT_ENTRY, warnings: [swapped] },
    ];
    const [, table = '', list] = make({ manifest });
    expect(table.match(/\| ⚠️ `/g)).toHaveLength(2);
    expect(list).toBe(`- ⚠️ \`'a.json'\` is truncated.\n- ⚠️ ${swapped}`);
  });
});

describe('makeSummary of several scans', () => {
  test('shows the counts, the failures, their fix, a row for each file, and the run', () => {
    const scans = [{ manifest: [SBOM_ENTRY, REPORT_ENTRY] }, FAILED, { scanKey: '', manifest: [] }];
    expect(makeMany(scans)).toEqual([
      '### ❌ Scan uploads: 1 rejected, 2 accepted',
      'Scan upload rejected (400): `s1`',
      FENCED,
      ...FIX,
      expect.stringMatching(/^\| Scan \| Result \| Part \| File \| .*(\n\|.*){5}$/),
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

  test('says that nothing was uploaded if any scan was only read', () => {
    expect(makeMany([{ result: 'dry-run' }, { result: 'skipped' }])).toContain(DRY);
    expect(makeMany([{ result: 'dry-run' }, FAILED])).not.toContain(DRY);
  });

  test.each<[string, ScanSpec, string]>([
    [
      'marks in a text',
      { says: ['Stored <b>'], serviceWarnings: ['Old.', 'Old.'] },
      '- The service says: `Stored <b>`\n- ⚠️ `Old.`',
    ],
    // A word that is cut may be a part of a secret.
    [
      'a long word',
      { says: [`${'x '.repeat(147)}${'y'.repeat(9)}`] },
      `- The service says: \`${'x '.repeat(147)}…\``,
    ],
  ])('shows once what the service said: %s', (_, scan, said) => {
    expect(makeMany([scan, scan]).filter((block) => block.startsWith('- '))[0]).toBe(said);
  });

  const long = { details: ['x'.repeat(4000)], fixes: ['y'.repeat(4000)] };
  test.each<[string, readonly ScanSpec[], RegExp, number, boolean]>([
    ['100 rows', repeat(100), /^\|/, 102, true],
    ['101 rows', repeat(101), /^\|/, 102, false],
    [
      '100 failures of 8 KB',
      repeat(100, (at) => failWith({ headline: `${at}`, ...long })),
      /^```t/,
      64,
      false,
    ],
    ['101 responses', repeat(101, (at) => ({ says: [`Stored as ${at}`] })), /^- The/, 100, false],
    ['101 warnings', [{ manifest: [MANY_WARNINGS] }], /^- ⚠️/, 100, false],
  ])(
    'shows not more than there is room for, and where the rest is: %s',
    (_, scans, start, count, isWhole) => {
      const blocks = makeMany(scans);
      expect(blocks.includes(MORE)).toBe(!isWhole);
      const lines = blocks.join('\n').split('\n');
      expect(lines.filter((line) => start.test(line))).toHaveLength(count);
    },
  );

  test('shows equal failures once, with the lines that all of them have', () => {
    const blocks = makeMany(repeat(300, (index) => failWith({ traces: [`Trace id: ${index}`] })));
    expect(blocks.slice(1, 4)).toEqual([
      'Scan upload rejected (400): `s0, s1, s2 and 297 more`',
      '```text\nThe scan key is not known.\nScanKey: is not known\n```',
      FIX[0],
    ]);
  });
});

describe('writeSummary', () => {
  test('adds to the job summary at once, because all threads of Node may be busy', async () => {
    const file = join(await makeFolder(), 'summary.md');
    await writeFile(file, '# before\n');
    setEnvironment({ GITHUB_STEP_SUMMARY: file });
    const output = captureOutput();
    writeSummary(makeStep(), new Log());
    expect(readFileSync(file, 'utf8')).toBe(`# before\n${makeSummary(makeStep())}\n`);
    expect(output.text).toBe('');
  });

  test.each([
    ['is a directory', '.', 'EISDIR'],
    ['is not named', '', 'GITHUB_STEP_SUMMARY is not set'],
  ])('logs that no summary was written if the file %s', async (_, name, reason) => {
    setEnvironment({ GITHUB_STEP_SUMMARY: name && join(await makeFolder(), name) });
    const output = captureOutput();
    writeSummary(makeStep(), new Log());
    expect(output.lines).toEqual([expect.stringMatching(`^No job summary was written: ${reason}`)]);
  });
});
