import { describe, expect, test } from '@jest/globals';
import { CancelledError } from '../../src/errors.ts';
import { REPORT, SBOM, makeKey } from '../support/samples.ts';
import { makeEntries, makeStages } from '../support/stages.ts';
import type { Entry, Stages } from '../support/stages.ts';

const FOLLOWING =
  'Not tried, because other scans of the step are invalid: b, d, scans[4], scans[5], scans[6].';

function makeEntry(key: number, path: string): Entry {
  return { 'scan-key': makeKey(key), 'scan-file': path };
}

function listPaths({ prepared }: Stages): readonly (string | undefined)[] {
  return prepared.flatMap(({ plan }) => plan?.parts.map(({ file }) => file.displayPath));
}

function isReady({ prepared }: Stages): boolean {
  return prepared.every(({ result }) => result === 'ready');
}

describe('prepareScans', () => {
  test('plans every scan, in order', async () => {
    const stages = await makeStages(makeEntries('abc'));
    await stages.prepare();
    expect(isReady(stages)).toBe(true);
    expect(listPaths(stages)).toEqual(['a.json', 'b.json', 'c.json']);
    const starts = stages.output.lines.map((line) => line.slice(0, 4));
    expect(starts).toEqual(['[a] ', '[b] ', '[c] ']);
  });

  test('fails all scans if some are invalid, and reports the problems of each', async () => {
    const others = ['missing.json', '*.json', '..'].map((path) => makeEntry(9, path));
    const entries = [...makeEntries('abcd'), ...others];
    const stages = await makeStages(entries, {}, { 'b.json': '{', 'd.json': '' });
    await stages.prepare();
    const situations = stages.failures.map((failure) => failure?.situation);
    const ownAndOthers = ['other-scans', 'contents', 'other-scans', 'contents'];
    expect(situations).toEqual([...ownAndOthers, 'files', 'files', 'files']);
    expect(stages.failures.slice(-3).map((failure) => failure?.fixes[0])).toEqual([
      expect.stringMatching(/^Correct the pattern, or the step that should have written the file/),
      'Make the pattern match one file.',
      expect.stringMatching(/^Write a path from the workspace, or .* absolute/),
    ]);
    const [first, , third] = stages.failures;
    expect(first).toEqual(third);
    expect(first?.headline).toBe(FOLLOWING);
    expect(new Set(stages.prepared.map(({ result }) => result))).toEqual(new Set(['not-sent']));
  });

  test('skips only scans without files if if-no-files-found is warn', async () => {
    const entries = [{ name: 'none', ...makeEntry(9, 'no.json') }, ...makeEntries('a')];
    const stages = await makeStages(entries, { 'if-no-files-found': 'warn' });
    await stages.prepare();
    expect(stages.prepared).toEqual([
      {
        entry: expect.objectContaining({ name: 'none' }),
        plan: undefined,
        result: 'skipped',
        skipped: expect.stringContaining("'no.json'"),
      },
      expect.objectContaining({ result: 'ready' }),
    ]);
    expect(stages.output.text).toContain('::warning title=Scan upload skipped [none]::');
  });

  test('fails a step without scans, and says how to allow it', async () => {
    const fixes = ['If there may be nothing to upload, set `if-no-files-found: ignore`.'];
    const stages = await makeStages([]);
    await expect(stages.prepare()).rejects.toMatchObject({ situation: 'files', fixes });
    const allowed = await makeStages([], { 'if-no-files-found': 'warn' });
    await allowed.prepare();
    expect(allowed.output.text).toMatch(/^::warning .*`scans` has no entries\./m);
  });

  test('fails a scan of which only some patterns match, even if if-no-files-found is ignore', async () => {
    const entries = [{ 'scan-key': makeKey(9), files: 'a.json\nno.json' }];
    const stages = await makeStages(entries, { 'if-no-files-found': 'ignore' });
    await stages.prepare();
    expect(stages.failures[0]?.situation).toBe('files');
  });

  test('proposes no file that another scan has matched', async () => {
    const entries = [{ name: 'late', ...makeEntry(7, 'x.json') }, ...makeEntries('bcde')];
    const stages = await makeStages([...entries, { name: 'wild', ...makeEntry(8, 'f*.json') }]);
    await stages.prepare();
    for (const name of 'agh') expect(stages.failures[0]?.headline).toContain(`'${name}.json'`);
    for (const name of 'bcdef')
      expect(stages.failures[0]?.headline).not.toContain(`'${name}.json'`);
  });

  test('shows no part of a long pattern that matches nothing: it may be a secret', async () => {
    const entries = [makeEntry(9, `${'secret/'.repeat(400)}x.json`)];
    const stages = await makeStages(entries, { 'if-no-files-found': 'warn' });
    await stages.prepare();
    expect(stages.prepared[0]).toMatchObject({
      skipped: expect.stringMatching(/^`scan-file`.* …$/),
    });
    expect(stages.output.text).toContain(' …');
    expect(stages.output.text).not.toContain('secret');
  });

  test('adds warnings to the parts that cause them, and logs each once', async () => {
    const files = {
      'a.json': '{',
      'b.json': '{}',
      'c.json': '[',
      'd.json': REPORT,
      'e.json': SBOM,
    };
    const pair = { 'dependencies-file': 'b.json', 'vulnerabilities-file': 'c.json' };
    const entries = [
      makeEntry(1, 'a.json'),
      { 'scan-key': makeKey(2), ...pair },
      { 'scan-key': makeKey(3), 'dependencies-file': 'd.json', 'vulnerabilities-file': 'e.json' },
    ];
    const stages = await makeStages(entries, { 'content-check': 'warn' }, files);
    await stages.prepare();
    const parts = stages.prepared.flatMap(({ plan }) => plan?.parts ?? []);
    expect(parts.map(({ warnings }) => warnings)).toEqual([
      [expect.stringContaining("ScanJsonFile 'a.json'")],
      [expect.stringContaining("DependenciesCDX 'b.json'")],
      [expect.stringContaining("VulnerabilitiesTool 'c.json'")],
      [expect.stringContaining('they are swapped')],
      [expect.stringContaining('they are swapped')],
    ]);
    expect(stages.output.text.match(/^::warning /gm)).toHaveLength(4);
  });

  test('ends with the reason of its signal', async () => {
    const reason = new CancelledError('SIGINT');
    const stages = await makeStages(makeEntries('ab'), {}, {}, AbortSignal.abort(reason));
    await expect(stages.prepare()).rejects.toBe(reason);
  });
});
