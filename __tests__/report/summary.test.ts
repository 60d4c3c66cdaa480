import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Log } from '../../src/report/log.ts';
import type { ResultName } from '../../src/report/result.ts';
import type { writeSummary as WriteSummary } from '../../src/report/summary.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { makeFolder } from '../support/directories.ts';
import { setEnvironment } from '../support/environment.ts';
import { FAILURE, INVENTORY, REPORT, captureOutput, makeStep } from '../support/report.ts';
import type { SingleStep } from '../support/report.ts';

function make(step: SingleStep = {}): string {
  return makeSummary(makeStep(step));
}

describe('makeSummary of one scan', () => {
  test('shows result, run and files', () => {
    expect(make({ attempts: 3 })).toBe(
      [
        '### ✅ Scan upload accepted',
        '',
        '`upload-file` · to <code>https&#58;&#47;&#47;scan&#46;example</code> · status 200 · 3 attempts · 1.5 s',
        '',
        '| Part | File | Size | Format | SHA256 |',
        '| :--- | :--- | ---: | :--- | :--- |',
        '| ScanJsonFile | <code>out&#47;scan&#46;json</code> | 1.2&nbsp;KiB | JSON | `2c26b46b68ff…` |',
      ].join('\n'),
    );
  });

  test('leaves out what is not known', () => {
    const step = { operation: undefined, origin: undefined, statusCode: undefined, attempts: 0 };
    expect(make({ result: 'skipped', manifest: [], durationMs: 12, ...step })).toBe(
      '### ⏭️ Scan upload skipped\n\n12 ms',
    );
  });

  test.each<[ResultName, string, RegExp | undefined]>([
    ['accepted', '✅ Scan upload accepted', undefined],
    ['dry-run', '☑️ Scan upload dry run', undefined],
    ['skipped', '⏭️ Scan upload skipped', undefined],
    ['rejected', '❌ Scan upload rejected', /^- After fixing this, re-run the failed jobs/],
    ['not-sent', '❌ Scan upload not sent', /re-run the failed jobs&#46; That is safe/],
    [
      'unconfirmed',
      '❓ Scan upload unconfirmed',
      /^- Look at the service first&#58; it may have the scan/,
    ],
  ])('of the result %s has the heading %s, and says what to do if it failed', (result, ...rest) => {
    const [heading, step] = rest;
    const failure = step && { ...FAILURE, advice: [] };
    const [first, , , ...blocks] = make({ result, manifest: [], failure }).split('\n\n');
    expect(first).toBe(`### ${heading}`);
    expect(blocks.slice(0, -1)).toEqual(step ? ['**What to do**'] : []);
    expect(blocks.at(-1) ?? '').toMatch(step ?? /^$/);
  });

  test.each<[ResultName, RegExp]>([
    ['not-sent', /^```$/],
    ['rejected', /^```$/],
    ['unconfirmed', /^- Look at the service first/],
  ])('says nothing of fixing what was cancelled (%s)', (result, last) => {
    const failure = { ...FAILURE, reason: 'cancelled', advice: [] } as const;
    const summary = make({ result, manifest: [], failure });
    expect(summary).not.toMatch(/fixing/);
    expect(summary.split('\n').at(-1)).toMatch(last);
  });

  test('marks files with warnings, and lists each warning once below them', () => {
    const warnings = ['a.json is **truncated**.', 'Both are swapped.'];
    const manifest = [
      { ...INVENTORY, warnings },
      { ...REPORT, warnings: ['Both are swapped.'] },
    ];
    const [, , table = '', list] = make({ manifest }).split('\n\n');
    expect(table.match(/\| ⚠️ <code>/g)).toHaveLength(2);
    expect(list).toBe(
      '- ⚠️ <code>a&#46;json</code> is <code>&#42;&#42;truncated&#42;&#42;</code>&#46;\n- ⚠️ Both are swapped&#46;',
    );
    expect(make()).not.toContain('⚠️');
  });

  test('shows the problem of a failure in a fence, what to do, and then the files', () => {
    const manifest = [INVENTORY, REPORT];
    const step = { result: 'rejected', manifest, failure: FAILURE } as const;
    expect(make(step).split('\n\n')).toEqual([
      '### ❌ Scan upload rejected',
      expect.stringMatching(/^`upload-file` · /),
      '```text\nThe scan key is not known.\nScanKey: is not known\nTrace id of the requests: 1\n```',
      '**What to do**',
      '- Check scan-key&#46;\n- After fixing this, re-run the failed jobs&#46;',
      expect.stringMatching(/^\| Part \| File \|/),
      expect.stringMatching(/^\| Findings in \| Critical \|/),
    ]);
  });
});

describe('writeSummary', () => {
  // The toolkit remembers the first file it wrote to; every test begins without that memory.
  let write: typeof WriteSummary;

  beforeEach(async () => {
    jest.resetModules();
    ({ writeSummary: write } = await import('../../src/report/summary.ts'));
  });

  test('adds to the job summary', async () => {
    const file = join(await makeFolder(), 'summary.md');
    await writeFile(file, '# before\n');
    setEnvironment({ GITHUB_STEP_SUMMARY: file });
    const output = captureOutput();
    await write(makeStep(), new Log());
    expect((await readFile(file, 'utf8')).replaceAll('\r\n', '\n')).toBe(`# before\n${make()}\n`);
    expect(output.text).toBe('');
  });

  test.each([
    ['is a directory', '.', /^EISDIR/],
    ['is not named', undefined, /^Unable to find environment variable/],
    ['is named by an empty text', '', /^Unable to find environment variable/],
    ['does not exist', 'gone', /^Unable to access summary file/],
  ])('says in the log that there is none if the file %s', async (_, name, reason) => {
    const directory = await makeFolder();
    setEnvironment({ GITHUB_STEP_SUMMARY: name && join(directory, name) });
    const output = captureOutput();
    await write(makeStep(), new Log());
    const [line = '', ...others] = output.lines;
    expect(others).toEqual([]);
    expect(line).toMatch(/^No job summary was written: /);
    expect(line.replace(/^.*?: /, '')).toMatch(reason);
  });
});
