import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ACTION, makeWorkspace } from '../support/run-action.ts';

function check(
  directory: string,
  ...files: readonly string[]
): { readonly exitCode: number | null; readonly lines: readonly string[] } {
  const script = join(ACTION, 'scripts', 'check-workflows.ts');
  const options = { cwd: directory, encoding: 'utf8' } as const;
  const { status, stdout } = spawnSync(process.execPath, [script, ...files], options);
  return { exitCode: status, lines: stdout.trimEnd().split('\n') };
}

/** A workflow whose step begins at line 6. */
function makeWorkflow(...step: readonly string[]): string {
  const head = ['on: push', 'jobs:', '  scan:', '    runs-on: ubuntu-latest', '    steps:'];
  return [...head, ...step.map((line) => `      ${line}`), ''].join('\n');
}

const WHOLE_ADDRESS = makeWorkflow('- uses: https://example.com/o/r@v1');

describe('npm run lint:workflows', () => {
  test("finds the project's workflows and nothing wrong with them", () => {
    const examples = readdirSync(join(ACTION, 'examples')).filter((name) => name.endsWith('.yml'));
    const own = readdirSync(join(ACTION, '.github', 'workflows'));
    const count = examples.length + own.length;
    expect(check(ACTION)).toEqual({ exitCode: 0, lines: [`${count} workflows, 0 problems`] });
  });

  test.each([
    [makeWorkflow('- run: echo "${{ steps.no.outputs.x }}"'), /^w\.yml:6:24: property "no" is not/],
    [makeWorkflow('- run: exit', '  if-not: true'), /^w\.yml:7:9: unexpected key "if-not"/],
    [WHOLE_ADDRESS, /^w\.yml:6:15: specifying action "https:.* in invalid format/],
    ['on: push\njobs: [\n', /^w\.yml:2:0: could not parse as YAML/],
  ])('points at the problem in a workflow (%#)', async (workflow, problem) => {
    const { exitCode, lines } = check(await makeWorkspace({ 'w.yml': workflow }), 'w.yml');
    expect(lines).toEqual([expect.stringMatching(problem), '1 workflows, 1 problems']);
    expect(exitCode).toBe(1);
  });

  test('allows whole addresses in the example for Gitea and Forgejo', async () => {
    const directory = await makeWorkspace({ 'gitea-forgejo.yml': WHOLE_ADDRESS });
    expect(check(directory, 'gitea-forgejo.yml').exitCode).toBe(0);
  });

  test('does not pass a directory without workflows', async () => {
    const lines = ['0 workflows, 0 problems'];
    expect(check(await makeWorkspace({}))).toEqual({ exitCode: 1, lines });
  });
});
