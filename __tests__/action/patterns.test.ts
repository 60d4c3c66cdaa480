import { describe, expect, test } from '@jest/globals';
import { mkdir, writeFile } from 'node:fs/promises';
import type { StepOptions, StepRun } from '../../local/step/index.ts';
import { describeLinux, describePosix } from '../support/files.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { REPORT, SCAN_KEY } from '../support/samples.ts';

type Inputs = Readonly<Record<string, string>>;

/** Any URL: nothing is sent in these tests. */
const BASE = { 'base-url': 'http://127.0.0.1:1', 'dry-run': 'true' };
/** What took minutes must end within this time, even on a busy machine. */
const MOST_MS = 20_000;

/** Runs the action on the patterns of `files`. */
async function runPatterns(
  workspace: string,
  files: string,
  options: Partial<StepOptions> = {},
  inputs: Inputs = {},
): Promise<StepRun> {
  return runAction(workspace, { ...BASE, files, ...inputs }, { timeoutMs: MOST_MS, ...options });
}

function makeLines(count: number, makeLine: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => makeLine(index)).join('\n');
}

/** A workspace with `bom.json` and a file whose path is latin1. */
async function makeLatin1(path: string): Promise<string> {
  const workspace = await makeWorkspace({ 'bom.json': REPORT });
  const file = Buffer.from(`${workspace}/${path}`, 'latin1');
  await mkdir(file.subarray(0, file.lastIndexOf('/')), { recursive: true });
  await writeFile(file, REPORT);
  return workspace;
}

describe('very many patterns', () => {
  test.each<[string, string | readonly string[], string]>([
    ['100,000 includes', 'a\n'.repeat(100_000), 'has 100000 patterns, more than 1000'],
    [
      '100,000 includes in an array',
      makeLines(100_000, () => 'a').split('\n'),
      'has 100000 patterns, more than 1000',
    ],
    [
      '400,000 excludes',
      `a\n${'!b\n'.repeat(400_000)}`,
      'has 1200001 characters, more than 262144',
    ],
  ])('are refused at once: %s', async (_, files, problem) => {
    const entries = JSON.stringify([{ 'scan-key': SCAN_KEY, files }]);
    const workspace = await makeWorkspace({ 'scans.json': entries });
    const inputs = { ...BASE, scans: 'scans.json', 'scan-key': '', 'scan-file': '' };
    const run = await runAction(workspace, inputs, { timeoutMs: MOST_MS });
    expect(run.outputs.error).toBe(
      `scans[0]: \`files\` ${problem}. Use wildcards, or name a directory.`,
    );
  });
});

describePosix('patterns that are slow to match', () => {
  test('match 1,000 excludes with three * against long names in time', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `${'a'.repeat(240)}${index + 100}`);
    const workspace = await makeWorkspace(Object.fromEntries(names.map((name) => [name, '{}'])));
    const run = await runPatterns(
      workspace,
      `**\n${makeLines(999, (index) => `!**/*a*a*b${index}`)}`,
    );
    expect(run.outputs.error).toMatch(/^`files` matched 150 files\./);
  });

  /** Matching takes minutes: 500 x 1,000 x 500 times. */
  const names = Array.from({ length: 1000 }, (_, index) => `${'a'.repeat(200)}${index}`);
  const files = `${'**\n'.repeat(500)}${makeLines(500, (index) => `!*a*a*b${index}`)}`;

  test.each<[string, Inputs, number, RegExp]>([
    ['its time limit', { 'timeout-seconds': '1' }, 1, /^The time limit of 1 s/],
    ['SIGINT', {}, 130, /^Cancelled: the scan was not uploaded\./],
  ])('end with %s', async (_, inputs, exitCode, error) => {
    const workspace = await makeWorkspace(Object.fromEntries(names.map((name) => [name, '{}'])));
    const cancellation = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    // The first line is written when the first exclude is compiled.
    const cancel = (): void => {
      if (exitCode === 130) timer ??= setTimeout(() => cancellation.abort(), 1500);
    };
    const options = { signal: cancellation.signal, onOutput: cancel };
    const run = await runPatterns(workspace, files, options, inputs);
    expect([run.exitCode, run.outputs.error]).toEqual([exitCode, expect.stringMatching(error)]);
  });
});

describeLinux('a name that is not UTF-8', () => {
  test.each([
    ['caf\xE9.json', '*.json', 'caf\uFFFD.json'],
    ['caf\xE9.json', '**', 'caf\uFFFD.json'],
    ['caf\xE9/a.json', '**/*.json', 'caf\uFFFD'],
    ['caf\xE9/a.json', '*/*.json\nbom.json', 'caf\uFFFD'],
    ['[a]*?\xE9.json', '*.json', '[[]a][*][?]\uFFFD.json'],
    ['!\xE9.json', '*.json', './!\uFFFD.json'],
    ['~/\xE9.json', '**/*.json', '~/\uFFFD.json'],
    [' \xE9 ', '*', '[ ]\uFFFD[ ]'],
  ])('fails the pattern and can be excluded: %j with %j', async (path, files, shown) => {
    const workspace = await makeLatin1(path);
    const refused = await runPatterns(workspace, files);
    expect(refused.outputs.result).toBe('not-sent');
    const message = refused.annotations[0]?.message ?? '';
    expect(message).toMatch(/\uFFFD.*' is not UTF-8: rename it/);
    const [, exclude = ''] = /below the pattern: '(.*)'\./.exec(message) ?? [];
    expect(exclude.replace('./~', '~')).toBe(`!${shown}`);
    const lines = files.split('\n');
    const run = await runPatterns(workspace, [lines[0], exclude, 'bom.json'].join('\n'));
    const expected = files === '*/*.json\nbom.json' ? 'not-sent' : 'dry-run';
    expect(run.outputs.result).toBe(expected);
  });

  test.each([
    ['caf\xE9.json', 'bom.json'],
    ['caf\xE9.txt', '**/*.json'],
    ['caf\xE9/a.json', '*.json'],
    ['caf\xE9.json', '*.json\n!caf?.json'],
  ])('is ignored if it is not wanted: %j with %j', async (path, files) => {
    const run = await runPatterns(await makeLatin1(path), files);
    expect(run.outputs.result).toBe('dry-run');
  });

  test.each(['caf\xE9.json', 'caf\xE9/a.json'])(
    'fails a pattern that names it, whatever if-no-files-found says: %j',
    async (path) => {
      const named = path.replace('\xE9', '\uFFFD');
      const inputs = { 'if-no-files-found': 'ignore' };
      const run = await runPatterns(await makeLatin1(path), named, {}, inputs);
      expect(run.outputs).toMatchObject({ result: 'not-sent', reason: 'files' });
      expect(run.outputs['error']).toContain('is not UTF-8');
    },
  );

  test('differs from the same name with U+FFFD', async () => {
    const workspace = await makeLatin1('caf\xE9.json');
    await writeFile(`${workspace}/caf\uFFFD.json`, REPORT);
    const literal = await runPatterns(workspace, 'caf\uFFFD.json');
    expect(literal.outputs.result).toBe('dry-run');
    const run = await runPatterns(workspace, 'caf*.json');
    expect(run.annotations[0]?.message).toContain('is not UTF-8');
  });
});
