import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { StepResult } from '../../src/outcomes/scan-result.ts';
import { Log } from '../../src/report/log.ts';
import { makeSummary, writeSummary } from '../../src/report/summary.ts';
import { expectClean } from '../support/github-markdown.ts';
import {
  ENTRY,
  FAILURE,
  MARK,
  SBOM_ENTRY,
  REPORT_ENTRY,
  REVISION,
  captureOutput,
  makeBatch,
  makeFailure,
  makeScan,
  makeStep,
} from '../support/report.ts';
import type { FailureSpec, ManifestEntry, ScanSpec } from '../support/report.ts';
import { makeFolder, setEnvironment, SCAN_KEY } from '../support/workspace.ts';

/** The blocks of a summary, in which no text of a stranger became markup. */
function render(step: StepResult): readonly string[] {
  const summary = makeSummary(step);
  expectClean(summary);
  return summary.split('\n\n');
}

/** The blocks of the summary of one scan. */
function make(step: ScanSpec = {}): readonly string[] {
  return render(makeBatch([makeScan(step)], { revision: REVISION }));
}

/** The blocks of the summary of several scans, `s0` and so on. */
function makeMany(scans: readonly ScanSpec[]): readonly string[] {
  const results = scans.map((scan, index) => makeScan({ label: `s${index}`, ...scan }));
  return makeSummary(makeBatch(results, { revision: REVISION })).split('\n\n');
}

function repeat(count: number, specify: (index: number) => ScanSpec = () => ({})): ScanSpec[] {
  return Array.from({ length: count }, (_, index) => specify(index));
}

const FAILED = { result: 'rejected', failure: FAILURE } as const;

/** A file with so many warnings. */
function makeWarned(count: number): ManifestEntry {
  const warnings = Array.from({ length: count }, (_, index) => `${index} ${'x '.repeat(140)}`);
  return { ...ENTRY, warnings };
}

function failWith(spec: FailureSpec): ScanSpec {
  return { ...FAILED, failure: makeFailure(spec) };
}

const NOT_SENT = { result: 'not-sent', manifest: [], statusCode: undefined } as const;
const INVALID = { ...NOT_SENT, failure: makeFailure({ reason: 'contents' }) };
const HELD = { ...NOT_SENT, failure: makeFailure({ reason: 'other-scans' }) };

const MORE = 'There is more in the log, and in the file of the output `results-path`.';
const RUN = `For \`main\`, commit \`1a2b3c4\` · scan key \`${SCAN_KEY}\` · \`https://scan.example\``;
const FAILURES = [
  'The scan key is not known.',
  '- ScanKey: is not known',
  '**Fix:** Check `scan-key`.',
  'Trace id of the requests: 1',
];
const TABLE = expect.stringMatching(/^\| {2}\| File .*\n\| :--- .*\n\| Scan file .*\|$/);
const FOLD = '<details><summary>Scan keys, attempts, files, digests (SHA256)</summary>';
const UNKNOWN = { operation: undefined, statusCode: undefined, attempts: 0, scanKey: '' };
const RATED = { ...REPORT_ENTRY, part: 'ScanJsonFile' } as const;

describe('makeSummary of one scan', () => {
  const findings = '3 critical, 18 high, 31 medium, 11 low, 6 info, 3 unrated';
  const accepted = `### ✅ Scan uploaded: ${findings}`;
  const rejected = '### ❌ Scan upload rejected (400)';
  const manifest = [RATED];
  const skipped = { result: 'skipped', skipped: '`files`: no file matches @x.' } as const;
  test.each<[string, ScanSpec, readonly unknown[]]>([
    ['result and findings, the run, and the files', { manifest }, [accepted, RUN, TABLE]],
    [
      'what happened, the fix, ids and the files of a failure',
      { ...FAILED, manifest, statusCode: 400 },
      [rejected, RUN, ...FAILURES, TABLE],
    ],
    [
      'no fix where there is none',
      { ...failWith({ fixes: [], details: [], traces: [] }), manifest, statusCode: 400 },
      [rejected, RUN, 'The scan key is not known.', TABLE],
    ],
    [
      'that nothing was uploaded in a dry run',
      { ...UNKNOWN, operation: 'upload-file', result: 'dry-run', manifest },
      [`### ℹ️ Dry run, nothing uploaded: ${findings}`, 'For `main`, commit `1a2b3c4`', TABLE],
    ],
    [
      'why a scan was skipped',
      { ...UNKNOWN, ...skipped, manifest: [] },
      [
        '### ⏭️ Scan upload skipped',
        'For `main`, commit `1a2b3c4`',
        '- `files`: no file matches `@x`.',
      ],
    ],
    [
      'what the service says, with its warnings',
      { manifest, says: ['Stored <b>'], serviceWarnings: ['Old.', 'Old.'] },
      [`${accepted} ⚠️`, RUN, '- ⚠️ `Old.`', TABLE, '- The service says: `Stored <b>`'],
    ],
  ])('shows %s', (_, step, blocks) => {
    expect(
      make(step).filter(
        (block) => !/^(?:<\/?details|- scan key|- `upload|- ScanJ|- 300)/.test(block),
      ),
    ).toEqual(blocks);
  });

  test('folds the key, the operation, attempts, sizes and digests', () => {
    const [summary, facts, end] = make().slice(-3);
    const upload = `- scan key \`${SCAN_KEY}\`, \`upload-file\`, 1 attempt, 300 ms`;
    expect([summary, facts?.split('\n')[0], end]).toEqual([FOLD, upload, '</details>']);
  });

  test('says that `scans` has no entries', () => {
    const blocks = makeSummary(makeBatch([])).split('\n\n');
    expect(blocks).toEqual(['### ⏭️ Scan upload skipped', '`scans` has no entries.']);
  });

  test('marks the heading if a file has a mark or a warning, and lists each warning once', () => {
    const swapped = 'Both are swapped.';
    const entries = [
      { ...SBOM_ENTRY, warnings: ["'a.json' is truncated.", swapped] },
      { ...REPORT_ENTRY, warnings: [swapped] },
    ];
    const [heading, , , list] = make({ manifest: entries });
    expect(heading).toBe(`${accepted} ⚠️`);
    expect(list).toBe(`- ⚠️ \`'a.json'\` is truncated.\n- ⚠️ ${swapped}`);
    expect(make({ manifest: [{ ...RATED, marks: [MARK] }] })[0]).toBe(`${accepted} ⚠️`);
    const failed = { ...HELD, manifest: [{ ...RATED, marks: [MARK], warnings: ['Old.'] }] };
    expect(make(failed).join('\n')).not.toContain('⚠️');
  });

  test('shows a long text of the service as code with its lines, and ids in a line', () => {
    const text = `Component a:\n${'no license '.repeat(30)}end.`;
    const failure = {
      headline: 'a: x',
      details: [text],
      traces: ['Trace id of a: 1', 'Trace id of b: 2'],
    };
    const blocks = make({ ...failWith(failure), statusCode: 400 });
    expect(blocks[3]).toBe(`- \`Component a:\`\\\n\`${'no license '.repeat(30)}end.\``);
    expect(blocks[5]).toBe('Trace id of a: 1 · of b: 2');
    expect(make({ ...failWith({ headline: text, fixes: [] }), statusCode: undefined })[2]).toBe(
      text.replace('\n', ' '),
    );
  });

  // A word that is cut may be a part of a secret.
  test('cuts what the service says between words', () => {
    const blocks = make({ says: [`${'x '.repeat(147)}${'y'.repeat(9)}`] });
    expect(blocks).toContain(`- The service says: \`${'x '.repeat(147)}…\``);
  });
});

describe('makeSummary of several scans', () => {
  test('shows the counts, each failure below its own heading, a row for each scan, and facts', () => {
    const scans = [
      { manifest: [SBOM_ENTRY, REPORT_ENTRY], says: ['Stored as 7'] },
      { ...FAILED, statusCode: 400 },
      { scanKey: '', manifest: [] },
    ];
    const results = scans.map((scan, index) => makeScan({ label: `s${index}`, ...scan }));
    expect(render(makeBatch(results, { revision: REVISION }))).toEqual([
      '### ❌ Scan uploads: 1 rejected, 2 uploaded',
      'For `main`, commit `1a2b3c4` · `https://scan.example`',
      '#### ❌\u00a0rejected (400): `s1`',
      ...FAILURES,
      expect.stringMatching(/^\| Scan \| Result \| Critical \| .* \| Components \|(\n\|.*){5}$/),
      FOLD,
      expect.stringMatching(/^- `s1`: scan key .*(\n- `s[012]`: .*){5}$/),
      '</details>',
    ]);
  });

  test('marks the heading if scans share what they should not, and says what', () => {
    const repeats = ['<b>, [s](https://x.example) use the same scan key.'];
    const blocks = render(makeBatch([makeScan({ manifest: [RATED] }), makeScan()], { repeats }));
    expect(blocks[0]).toMatch(/^### ✅ 2 scans uploaded: .* ⚠️$/);
    expect(blocks).toContainEqual(expect.stringMatching(/^- ⚠️ .* use the same scan key\.$/));
  });

  test.each<[readonly ScanSpec[], string]>([
    [repeat(2, () => ({ manifest: [RATED] })), '### ✅ 2 scans uploaded: 6 critical, '],
    [
      repeat(2, () => ({ result: 'dry-run', manifest: [RATED] })),
      '### ℹ️ Dry run, nothing uploaded: 6 critical, ',
    ],
    [[{ result: 'dry-run' }, { result: 'skipped' }], '### ⏭️ Scan uploads: 1 skipped, 1 dry run'],
    [
      [...repeat(2, () => HELD), INVALID, INVALID],
      '### ❌ Scan uploads: 2 invalid, 2 not sent because of them',
    ],
    [[HELD, FAILED], '### ❌ Scan uploads: 1 rejected, 1 not sent because of it'],
  ])('has a heading for the results of %j', (scans, heading) => {
    expect(makeMany(scans)[0]?.slice(0, heading.length)).toBe(heading);
  });

  test('names the scans of each warning: of the service below the run, of files below the table', () => {
    const warned = { serviceWarnings: ['Old.'], manifest: [{ ...ENTRY, warnings: ['Empty.'] }] };
    const [heading, , said, , files] = makeMany([warned, warned, { serviceWarnings: ['Odd.'] }]);
    expect(heading).toMatch(/ ⚠️$/);
    expect(said).toBe('- ⚠️ `s0, s1`: `Old.`\n- ⚠️ `s2`: `Odd.`');
    expect(files).toBe('- ⚠️ `s0, s1`: Empty.');
  });

  test('has below the table what a mark says more than its row', () => {
    const old = { name: 'old', text: 'written before this job began, on 1 Jan 2026' } as const;
    const manifest = [{ ...RATED, marks: [old, MARK] }];
    const [, , , items] = makeMany([{ manifest }, { manifest }, { manifest: [RATED] }]);
    expect(items).toBe(`- ⚠️ \`s0, s1\`: ${old.text}`);
  });

  const long = { details: ['x'.repeat(4000), 'y'.repeat(4000)] };
  test.each<[string, readonly ScanSpec[], RegExp, number, boolean]>([
    ['1,000 rows, their head and sums', repeat(1000), /^\|/, 1003, true],
    [
      '100 failures of 8 KB',
      repeat(100, (at) => failWith({ headline: `${at}`, ...long })),
      /^#### /,
      63,
      false,
    ],
    ['1,000 warnings', [{ manifest: [makeWarned(1000)] }], /^- ⚠️/, 1000, true],
    ['3,000 warnings', [{ manifest: [makeWarned(3000)] }], /^- ⚠️/, 1704, false],
  ])(
    'shows not more than there is room for, and where the rest is: %s',
    (_, scans, start, shown, isWhole) => {
      const blocks = makeMany(scans);
      expect(blocks.includes(MORE)).toBe(!isWhole);
      const lines = blocks.join('\n').split('\n');
      expect(lines.filter((line) => start.test(line))).toHaveLength(shown);
    },
  );

  test('has at most 1 MiB, whatever 1,000 scans are called and their files say', () => {
    const marks = ['|', '`'].map((text) => ({ ...MARK, text: text.repeat(64) }));
    const path = '|'.repeat(64);
    const scans = repeat(1000, (at) => ({
      ...failWith({ headline: `${at}${'|'.repeat(900)}` }),
      label: '|'.repeat(64),
      manifest: [{ ...ENTRY, path, marks, warnings: [`${at} ${'(| '.repeat(130)}`] }],
    }));
    expect(Buffer.byteLength(makeMany(scans).join('\n\n'))).toBeLessThan(1024 * 1024);
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
