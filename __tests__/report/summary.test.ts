import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { stripInvisible } from '../../src/report/clean.ts';
import { Log } from '../../src/report/log.ts';
import type { ManifestEntry, StepOutcome, StepResult } from '../../src/report/result.ts';
import type { writeSummary as WriteSummary } from '../../src/report/summary.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { makeFolder, setEnvironment } from '../service/fixtures.ts';
import { ENTRY, FAILURE, captureOutput, makeStep } from './fixtures.ts';

function make(step: Partial<StepResult> = {}, ...secrets: readonly string[]): string {
  captureOutput();
  const log = new Log();
  for (const secret of secrets) log.protect(secret);
  return makeSummary(makeStep(step), (text) => log.clean(text));
}

/** What a browser shows of character references. */
function decode(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

describe('makeSummary', () => {
  test('shows result, run and files', () => {
    expect(make()).toBe(
      [
        '### ✅ Scan upload accepted',
        '',
        '`upload-file` · to <code>https&#58;&#47;&#47;scan&#46;example</code> · status 200 · 1 attempt · 1.5 s',
        '',
        '| Part | File | Format | Size | SHA-256 |',
        '| --- | --- | --- | ---: | --- |',
        '| ScanJsonFile | <code>out&#47;scan&#46;json</code> | json | 1.2 KiB | `2c26b46b68ff…` |',
      ].join('\n'),
    );
  });

  test.each<[StepOutcome, string]>([
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

  test('counts attempts, and shows no digest where none was taken', () => {
    const { sha256: _, ...unread } = ENTRY;
    const summary = make({ attempts: 3, manifest: [unread] });
    expect(summary).toContain(' · 3 attempts · ');
    expect(summary).toMatch(/ \| json \| 1\.2 KiB \| {2}\|$/);
  });

  test('shows the problem of a failure in a fence, and what to do', () => {
    const summary = make({ result: 'rejected', manifest: [], failure: FAILURE });
    expect(summary).toContain(
      [
        '',
        '```text',
        'The scan key is not known.',
        'ScanKey: is not known',
        'Trace id of the requests: 1',
        '```',
        '',
        'What to do:',
        '',
        '- Check scan-key&#46;',
      ].join('\n'),
    );
    const failure = { ...FAILURE, advice: [] };
    expect(make({ result: 'rejected', failure })).not.toContain('What to do');
  });

  test.each([
    'a|b.json',
    'a\\|b.json',
    'a`|`b.json',
    'a\n| x | y | z | 1 | 2 |\n.json',
    '<img src=x onerror=alert(1)>.json',
    '</code></td></table><script>alert(1)</script>.json',
    '![x](https://evil.example/x.png).json',
    '[x](https://evil.example).json',
    'https://evil.example/x.json',
    '@octocat-#1.json',
    '&lt;b&gt;.json',
    '`${{ secrets.X }}`.json',
  ])('keeps its table whatever a file is called: %j', (path) => {
    const entries: readonly ManifestEntry[] = [{ ...ENTRY, path }, ENTRY];
    const rows = make({ manifest: entries }).split('\n').slice(4);
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row.split('|')).toHaveLength(7);
    const cell = rows[2]?.split('|')[2]?.trim() ?? '';
    expect(cell.match(/<[^>]*>/g)).toEqual(['<code>', '</code>']);
    expect(cell.replace(/^<code>|<\/code>$|&#\d+;/g, '')).not.toMatch(/[<>[\]()!`@#:/&|\\*_]/);
    const shown = path.replace(/\s+/g, ' ').trim();
    expect(decode(cell)).toBe(`<code>${shown}</code>`);
  });

  test('keeps foreign text of a failure inside its fence', () => {
    const headline = 'no\n```\n<script>alert(1)</script>\n````\n![x](y)';
    const failure = { ...FAILURE, headline, details: [], advice: ['<b>[x](y)</b>\n- | `z`'] };
    const summary = make({ result: 'rejected', manifest: [], failure });
    expect(summary).toContain(`\n\`\`\`\`\`text\n${headline}\n\`\`\`\`\`\n`);
    const advice = summary.split('\n').at(-1) ?? '';
    expect(advice).toMatch(/^- &#60;b&#62;/);
    expect(advice.replace(/&#\d+;/g, '')).not.toMatch(/[<>[\]()|`]/);
  });

  test('shows no secret, and nothing invisible', () => {
    const summary = make(
      {
        result: 'rejected',
        origin: 'https://s3cret.example',
        manifest: [{ ...ENTRY, path: 's3c\u200bret/\u202escan.json' }],
        failure: {
          title: 's3cret',
          headline: 'no s3cret',
          details: ['a \u001b[31ms3cret'],
          advice: ['Check s3cret.'],
        },
      },
      's3cret',
    );
    expect(decode(summary)).not.toContain('s3cret');
    expect(decode(summary)).toContain('<code>***/scan.json</code>');
    expect(summary).toBe(stripInvisible(summary));
    expect(summary).toContain('```text\nno ***\na ***\n```');
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
    expect(output.lines).toEqual([
      'No job summary was written: GITHUB_STEP_SUMMARY is not a regular file',
    ]);
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
        /^No job summary was written: (?:GITHUB_STEP_SUMMARY is not set|ENOENT)/,
      ),
    ]);
  });
});
