import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { stripInvisible } from '../../src/report/clean.ts';
import { Log } from '../../src/report/log.ts';
import type { ResultName } from '../../src/report/result.ts';
import type { writeSummary as WriteSummary } from '../../src/report/summary.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { makeFolder } from '../support/directories.ts';
import { setEnvironment } from '../support/environment.ts';
import { readTable } from '../support/github-markdown.ts';
import { ENTRY, FAILURE, INVENTORY, REPORT, captureOutput, makeStep } from '../support/report.ts';
import type { SingleStep } from '../support/report.ts';
import { expectClean } from '../support/summary-document.ts';

function make(step: SingleStep = {}): string {
  return makeSummary(makeStep(step));
}

describe('makeSummary', () => {
  test('shows result, run and files', () => {
    expect(make()).toBe(
      [
        '### ✅ Scan upload accepted',
        '',
        '`upload-file` · to <code>https&#58;&#47;&#47;scan&#46;example</code> · status 200 · 1 attempt · 1.5 s',
        '',
        '| Part | File | Size | Format | SHA256 |',
        '| :--- | :--- | ---: | :--- | :--- |',
        '| ScanJsonFile | <code>out&#47;scan&#46;json</code> | 1.2&nbsp;KiB | JSON | `2c26b46b68ff…` |',
      ].join('\n'),
    );
  });

  test.each<[ResultName, string]>([
    ['accepted', '### ✅ Scan upload accepted'],
    ['rejected', '### ❌ Scan upload rejected'],
    ['not-sent', '### ❌ Scan upload not sent'],
    ['unconfirmed', '### ❓ Scan upload unconfirmed'],
    ['dry-run', '### ☑️ Scan upload dry run'],
    ['skipped', '### ⏭️ Scan upload skipped'],
  ])('of the result %s is headed %s', (result, heading) => {
    expect(make({ result }).split('\n')[0]).toBe(heading);
  });

  test('leaves out what is not known', () => {
    const step = { operation: undefined, origin: undefined, statusCode: undefined, attempts: 0 };
    expect(make({ result: 'skipped', manifest: [], durationMs: 12, ...step })).toBe(
      '### ⏭️ Scan upload skipped\n\n12 ms',
    );
  });

  test('counts attempts', () => {
    expect(make({ attempts: 3 })).toContain(' · 3 attempts · ');
  });

  test('shows of a failure the problem in a fence, what to do, and then the files', () => {
    const [heading, run, ...blocks] = make({
      result: 'rejected',
      manifest: [INVENTORY, REPORT],
      failure: FAILURE,
    }).split('\n\n');
    expect(heading).toBe('### ❌ Scan upload rejected');
    expect(run).toMatch(/^`upload-file` · /);
    expect(blocks.slice(0, 3)).toEqual([
      '```text\nThe scan key is not known.\nScanKey: is not known\nTrace id of the requests: 1\n```',
      '**What to do**',
      '- Check scan-key&#46;\n- Once that is mended, re-run the failed jobs&#46;',
    ]);
    expect(blocks[3]).toMatch(/^\| Part \| File \|/);
    expect(blocks[4]).toMatch(/^\| Findings in \| Critical \|/);
    expect(blocks).toHaveLength(5);
  });

  test.each<[ResultName, RegExp]>([
    ['rejected', /^- Once that is mended, re-run the failed jobs/],
    ['not-sent', /re-run the failed jobs&#46; That is safe/],
    ['unconfirmed', /^- Look at the service first&#58; it may have the scan/],
  ])('says what to do next of the result %s, whatever failed', (result, step) => {
    const failure = { ...FAILURE, advice: [] };
    const blocks = make({ result, manifest: [], failure }).split('\n\n');
    expect(blocks.slice(3)).toEqual(['**What to do**', expect.stringMatching(step)]);
  });

  test('has nothing to do where nothing failed', () => {
    for (const result of ['accepted', 'dry-run', 'skipped'] as const) {
      expect(make({ result })).not.toContain('What to do');
    }
  });

  test('shows nothing invisible, and no command', () => {
    const entry = { path: 'in\u200b/\u202escan.json', tool: '::a\u202e 1', specVersion: '##[b]' };
    const summary = make({
      result: 'rejected',
      manifest: [{ ...ENTRY, ...entry }],
      failure: { ...FAILURE, headline: 'no', details: ['a \u001b[31mb', '::error::c'] },
    });
    const [, row] = readTable(expectClean(summary).find(({ name }) => name === 'table'));
    expect(row?.slice(1, 5)).toEqual(['in/scan.json', '1.2\u00a0KiB', 'JSON ## [b]', ': :a 1']);
    expect(summary).toBe(stripInvisible(summary));
    expect(summary).toContain('```text\nno\na b\n: :error::c\n```');
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

  test('says in the log that there is none where the file is no file', async () => {
    setEnvironment({ GITHUB_STEP_SUMMARY: await makeFolder() });
    const output = captureOutput();
    await write(makeStep(), new Log());
    expect(output.lines).toEqual([expect.stringMatching(/^No job summary was written: EISDIR/)]);
  });

  test.each([
    ['is not named', undefined],
    ['is named by an empty text', ''],
    ['is not there', 'gone'],
  ])('says in the log that there is none where the file %s', async (_, name) => {
    const folder = await makeFolder();
    const file = name === 'gone' ? join(folder, name) : name;
    await rm(folder, { recursive: true });
    setEnvironment({ GITHUB_STEP_SUMMARY: file });
    const output = captureOutput();
    await write(makeStep(), new Log());
    expect(output.lines).toEqual([
      expect.stringMatching(
        /^No job summary was written: Unable to (?:find environment variable|access summary file)/,
      ),
    ]);
  });
});
