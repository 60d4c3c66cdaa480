import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { REPOSITORY } from '../../scripts/repository.ts';
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

/** A workflow whose step starts at line 6. */
function makeWorkflow(...step: readonly string[]): string {
  const head = ['on: push', 'jobs:', '  scan:', '    runs-on: ubuntu-latest', '    steps:'];
  return [...head, ...step.map((line) => `      ${line}`), ''].join('\n');
}

const KNOWN = readFileSync(join(ACTION, '.github', 'known-actions', 'action.yml'), 'utf8');
/** `COMMIT # vX.Y.Z` of actions/checkout. */
const [, PIN = ''] = /actions\/checkout@(.*)/.exec(KNOWN) ?? [];
const DIGEST = `sha256:${'0a'.repeat(32)}`;
const WHOLE_ADDRESS = makeWorkflow(`- uses: https://github.com/actions/checkout@${PIN}`);

/** A workflow with one job that contains only this line, at line 4. */
function makeJob(line: string): string {
  return `on: push\njobs:\n  scan:\n    ${line}\n`;
}

describe('npm run lint:workflows', () => {
  test("finds the project's workflows, and no problems in them", () => {
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
  ])('reports the location of a problem in a workflow (%#)', async (workflow, problem) => {
    const { exitCode, lines } = check(await makeWorkspace({ 'w.yml': workflow }), 'w.yml');
    expect(lines).toEqual([expect.stringMatching(problem), '1 workflows, 1 problems']);
    expect(exitCode).toBe(1);
  });

  test('allows complete URLs in the example for Gitea and Forgejo', async () => {
    const directory = await makeWorkspace({ 'gitea-forgejo.yml': WHOLE_ADDRESS });
    expect(check(directory, 'gitea-forgejo.yml').exitCode).toBe(0);
  });

  const run = '- run: exit';
  const makeContainer = (line: string): string =>
    makeWorkflow(run).replace('    steps:', `    ${line}\n    steps:`);

  test.each([
    ['an unknown commit', makeWorkflow(`- uses: actions/checkout@${'12'.repeat(20)} # v7.0.1`), 6],
    ['another version', makeWorkflow(`- uses: actions/checkout@${PIN}.9`), 6],
    [
      'a commit only in a comment',
      makeWorkflow(`- uses: actions/checkout@v7 # uses: actions/checkout@${PIN}`),
      6,
    ],
    [
      'a commit without its version',
      makeWorkflow(`- uses: actions/checkout@${PIN.slice(0, 40)}`),
      6,
    ],
    ['a tag', makeWorkflow('- uses: actions/checkout@v7'), 6],
    [
      'the second of two actions',
      makeWorkflow(`- uses: actions/checkout@${PIN}`, '- uses: actions/checkout@v7'),
      7,
    ],
    ['an unknown action', makeWorkflow(`- uses: actions/other@${PIN}`), 6],
    ['an action in a flow mapping', makeWorkflow('- { uses: actions/checkout@v7 }'), 6],
    ['an image as an action', makeWorkflow('- uses: docker://alpine:latest'), 6],
    ['a container', makeContainer('container: node:latest'), 5],
    ['a container with options', makeContainer('container: { image: node:24 }'), 5],
    ['a service', makeContainer('services: { db: { image: postgres:18 } }'), 5],
    ['a reusable workflow', makeJob('uses: acme/ci/.github/workflows/scan.yml@main'), 4],
  ])('reports a reference that is not pinned: %s', async (_, workflow, line) => {
    const { exitCode, lines } = check(await makeWorkspace({ 'w.yml': workflow }), 'w.yml');
    const problem = new RegExp(`^w\\.yml:${line}: .*(?:is not pinned|is not in|has no digest)`);
    expect(lines).toEqual([expect.stringMatching(problem), '1 workflows, 1 problems']);
    expect(exitCode).toBe(1);
  });

  test.each([
    ['a known commit', makeWorkflow(`- uses: actions/checkout@${PIN}`)],
    ['this action', makeWorkflow(`- uses: ${REPOSITORY}@v1`)],
    ['an action of the repository', makeWorkflow('- uses: ./')],
    ['an image by its digest', makeWorkflow(`- uses: docker://alpine:3@${DIGEST}`)],
    ['a container by its digest', makeContainer(`container: node:24@${DIGEST}`)],
  ])('accepts %s', async (_, workflow) => {
    const { lines } = check(await makeWorkspace({ 'w.yml': workflow }), 'w.yml');
    expect(lines).toEqual(['1 workflows, 0 problems']);
  });

  test('fails for a directory without workflows', async () => {
    const lines = ['0 workflows, 0 problems'];
    expect(check(await makeWorkspace({}))).toEqual({ exitCode: 1, lines });
  });
});
