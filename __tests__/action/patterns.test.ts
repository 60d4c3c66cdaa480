import { expect, test } from '@jest/globals';
import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StepOptions, StepRun } from '../../local/step/index.ts';
import { describeLinks, describeLinux, describePosix } from '../support/files.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { REPORT } from '../support/samples.ts';

type Inputs = Readonly<Record<string, string>>;

/** Any URL: nothing is sent in these tests. */
const BASE = { 'base-url': 'http://127.0.0.1:1', 'dry-run': 'true' };
/** What took minutes must end within this time, even on a busy machine. */
const MOST_MS = 15_000;

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

/** Writes a file whose path below the workspace is latin1. */
async function writeLatin1(workspace: string, path: string): Promise<void> {
  const file = Buffer.from(`${workspace}/${path}`, 'latin1');
  await mkdir(file.subarray(0, file.lastIndexOf('/')), { recursive: true });
  await writeFile(file, REPORT);
}

describePosix('patterns that are slow to match', () => {
  /** Matching takes minutes: 500 x 1,000 x 500 times. */
  const names = Array.from({ length: 1000 }, (_, index) => `${'a'.repeat(200)}${index}`);
  const files = `${'**\n'.repeat(500)}${makeLines(500, (index) => `!*a*a*b${index}`)}`;

  test.each<[string, Inputs, number]>([
    ['time-limit', { 'timeout-seconds': '1' }, 1],
    ['cancelled', {}, 130],
  ])('end with the reason %s', async (reason, inputs, exitCode) => {
    const workspace = await makeWorkspace(Object.fromEntries(names.map((name) => [name, '{}'])));
    const cancellation = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    // The first line is written when the first exclude is compiled.
    const cancel = (): void => {
      if (exitCode === 130) timer ??= setTimeout(() => cancellation.abort(), 500);
    };
    const options = { signal: cancellation.signal, onOutput: cancel };
    const run = await runPatterns(workspace, files, options, inputs);
    expect([run.exitCode, run.outputs.reason]).toEqual([exitCode, reason]);
  });
});

describeLinks('paths to one file', () => {
  test('are one match if links lead to it, and two if it has two names', async () => {
    const workspace = await makeWorkspace({ 'v1/out/scan.json': REPORT });
    const links = Array.from({ length: 12 }, (_, index) => join(workspace, `latest${index}`));
    for (const path of links) await symlink(join('v1', 'out'), path);
    const run = await runPatterns(workspace, '', {}, { 'scan-file': '**/*.json' });
    expect(run.outputs.result).toBe('dry-run');
    await link(join(workspace, 'v1/out/scan.json'), join(workspace, 'other.json'));
    const refused = await runPatterns(workspace, '', {}, { 'scan-file': '**/*.json' });
    expect(refused.annotations[0]?.message).toMatch(/^`scan-file` matched 2 files\.$/m);
  });
});

describeLinks('searches without a natural end', () => {
  test('stop at 100,000 matching paths, whatever if-no-files-found says', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `many/${index}.json`);
    const workspace = await makeWorkspace(Object.fromEntries(names.map((name) => [name, '{}'])));
    for (const index of names.slice(0, 100).keys()) {
      await symlink('many', join(workspace, `link${index}`));
    }
    const run = await runPatterns(workspace, '**/*.json', {}, { 'if-no-files-found': 'ignore' });
    expect(run.outputs).toMatchObject({ result: 'not-sent', reason: 'files' });
    expect(run.annotations[0]?.message).toMatch(
      /^The pattern '\*\*\/\*\.json' matches more than 100000 paths\./,
    );
  });
});

describeLinux('names that are not UTF-8', () => {
  test('fail patterns that may mean them, and can be excluded', async () => {
    const workspace = await makeWorkspace({ 'bom.json': REPORT });
    for (const path of ['caf\xE9.json', 'caf\xE9/a.json', '[a]*?\xE9.json']) {
      await writeLatin1(workspace, path);
    }
    const refused = await runPatterns(workspace, '**');
    expect(refused.outputs).toMatchObject({ result: 'not-sent', reason: 'files' });
    expect(refused.annotations[0]?.message).toContain('such as `!dir/**`');
    const run = await runPatterns(workspace, '**\n!caf\uFFFD*\n![[]a]*');
    expect(run.outputs.result).toBe('dry-run');
  });

  test('differ from the same name with U+FFFD', async () => {
    const workspace = await makeWorkspace({ 'caf\uFFFD.json': REPORT });
    await writeLatin1(workspace, 'caf\xE9.json');
    const literal = await runPatterns(workspace, 'caf\uFFFD.json');
    expect(literal.outputs.result).toBe('dry-run');
    const run = await runPatterns(workspace, 'caf*.json');
    expect(run.outputs).toMatchObject({ result: 'not-sent', reason: 'files' });
  });
});
