import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { REPOSITORY } from '../../scripts/repository.ts';
import { describeWith } from '../peers/programs.ts';
import { makeFolder, writeTree } from '../support/directories.ts';
import { ACTION, TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { REPORT, SBOM, SCAN_KEY } from '../support/samples.ts';
import { openService } from '../support/service.ts';
import type { Members } from '../support/workflows.ts';
import { listDeclared, listMembers, readMembers, readText } from '../support/workflows.ts';

const NAMES = readdirSync(join(ACTION, 'examples')).filter((name) => name.endsWith('.yml'));
const WORKFLOWS = readdirSync(join(ACTION, '.github', 'workflows'));
const CALLED = `${REPOSITORY}/.github/workflows/upload.yml@v1`;
/** What stands before a step's `uses` if it runs this action. */
const OWN = new RegExp(`^(?:\\./|${REPOSITORY}@)`);
const OUTPUT = /\bsteps\.([\w-]+)\.outputs(?:\.([\w-]+)|\['([^']+)'\])/g;

const CALL = readMembers(
  readMembers(readMembers(load(readText('.github', 'workflows', 'upload.yml')))['on'])[
    'workflow_call'
  ],
);

/** The names of members, each with anything as its value. */
function mapNames(members: unknown): Members {
  const names = Object.keys(readMembers(members));
  return Object.fromEntries(names.map((name) => [name, expect.anything()]));
}

function listJobs(source: string): readonly Members[] {
  return listMembers(load(source), 'jobs');
}

function listSteps(source: string): readonly Members[] {
  return listJobs(source).flatMap((job) => listMembers(job, 'steps'));
}

test('examples/README.md lists exactly the examples that exist, at most twelve', () => {
  expect(NAMES.length).toBeLessThanOrEqual(12);
  const list = [...readText('examples', 'README.md').matchAll(/^- \[.*?\]\((.*?)\): \S.*$/gm)];
  expect(list.map(([, name = '']) => name).toSorted()).toEqual(NAMES.toSorted());
});

describe.each([
  ...NAMES.map((name) => join('examples', name)),
  ...WORKFLOWS.map((name) => join('.github', 'workflows', name)),
])('%s', (path) => {
  const source = readText(path);
  const steps = listSteps(source);

  test('does not print the error, a foreign text, with echo', () => {
    const scripts = steps.map(({ run }) => String(run)).join('\n');
    expect(scripts).not.toMatch(/\becho\b.*\$\{?ERROR\b/);
  });

  test('names inputs and outputs that action.yml has', () => {
    const own = steps.filter(({ uses }) => OWN.test(String(uses)));
    const inputs = own.flatMap((step) => Object.keys(readMembers(step['with'])));
    expect(listDeclared('inputs')).toEqual(expect.arrayContaining(inputs));
    const ids = new Set(own.map((step) => step['id']));
    const outputs = [...source.matchAll(OUTPUT)].filter(([, id]) => ids.has(id));
    const names = outputs.map(([, , name, quoted = '']) => name ?? quoted);
    expect(listDeclared('outputs')).toEqual(expect.arrayContaining(names));
  });

  test('gives each job its permissions alone', () => {
    // The called workflow has those of its caller: a test of its own.
    const isCalled = path === join('.github', 'workflows', 'upload.yml');
    expect(/^permissions: \{\}$/m.test(source)).toBe(!isCalled);
    const jobs = listJobs(source).map((job) => typeof job['permissions']);
    expect(new Set(jobs)).toEqual(new Set([isCalled ? 'undefined' : 'object']));
  });
});

test.each(NAMES)('%s calls only upload.yml, with inputs and secrets that it has', (name) => {
  const source = readText('examples', name);
  for (const { uses, with: inputs, secrets } of listJobs(source).filter((job) => 'uses' in job)) {
    expect(uses).toBe(CALLED);
    expect(CALL['inputs']).toMatchObject(mapNames(inputs));
    expect(CALL['secrets']).toMatchObject(mapNames(secrets));
  }
  const read = [...source.matchAll(/\bneeds\.upload\.outputs\.([\w-]+)/g)];
  for (const [, output = ''] of read) expect(CALL['outputs']).toHaveProperty(output);
});

/** Whether a step runs no action, an action of GitHub or this action. */
function isTrusted(step: Members): boolean {
  const uses = step['uses'];
  return typeof uses !== 'string' || uses.startsWith('actions/') || OWN.test(uses);
}

test.each([
  'fork-scan.yml',
  'fork-upload.yml',
  'oidc.yml',
  'receipt.yml',
  'release.yml',
  'trivy.yml',
  'two-jobs.yml',
])('%s gives no credentials to jobs with third-party actions', (name) => {
  const jobs = listJobs(readText('examples', name)).filter(
    (job) => !listMembers(job, 'steps').every(isTrusted),
  );
  for (const job of jobs) expect(JSON.stringify(job)).not.toMatch(/secrets\.|id-token/);
});

/** What the expressions of an example stand for. */
function fill(text: string, runnerTemp: string): string {
  const values = { secrets: TOKEN, vars: SCAN_KEY, runner: runnerTemp, github: 'true' };
  return text.replaceAll(/\$\{\{ (\w+)\.[^}]*\}\}/g, (_, name: string) =>
    name in values ? String(Reflect.get(values, name)) : 'made.json',
  );
}

/** The steps of examples and of the README that run this action, and the jobs that call its workflow. */
const UPLOADS = [
  ...NAMES.map((name) => [name, readText('examples', name)] as const),
  ...Array.from(
    readText('README.md').matchAll(/^```yaml\n(name: [^]*?)^```$/gm),
    ([, text = '']) => ['README.md', text] as const,
  ),
].flatMap(([name, text]) =>
  [...listSteps(text), ...listJobs(text)]
    .filter(({ uses }) => uses === CALLED || OWN.test(String(uses)))
    .map((step) => [name, readMembers(step['with'])] as const),
);

test.concurrent.each(UPLOADS)(
  'the upload of %s succeeds as a dry run: row %#',
  async (_, given) => {
    const runnerTemp = await makeFolder();
    const scans = [{ 'scan-key': SCAN_KEY, 'scan-file': 'report.json' }];
    const workspace = await makeWorkspace({
      'report.json': REPORT,
      'scans.json': JSON.stringify(scans),
    });
    const inputs = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, fill(String(value), runnerTemp)]),
    );
    for (const name of ['scan-file', 'dependencies-file', 'vulnerabilities-file', 'files']) {
      const path = name in inputs ? resolve(workspace, inputs[name] ?? '') : '';
      if (path !== '')
        await writeTree(dirname(path), { [basename(path)]: name.startsWith('d') ? SBOM : REPORT });
    }
    const own = 'scans' in inputs ? { 'scan-key': '', 'scan-file': '' } : {};
    const machine = { 'dry-run': 'true', 'ca-cert': '' };
    const run = await runAction(workspace, { ...own, ...inputs, ...machine }, { runnerTemp });
    expect(run.outputs).toMatchObject({ result: 'dry-run', error: '' });
  },
);

describeWith('jq')('the scripts of the examples that read the results file', () => {
  const critical = { Vulnerabilities: [{ VulnerabilityID: 'A', Severity: 'CRITICAL' }] };
  const blocked = JSON.stringify({ SchemaVersion: 2, Results: [{ Target: 'a', ...critical }] });

  test.each([
    ['receipt.yml', REPORT, 0, /^$/],
    ['two-jobs.yml', REPORT, 0, /^Critical findings: 0\n$/],
    ['two-jobs.yml', blocked, 1, /^Critical findings: 1\n$/],
    ['two-jobs.yml', '{"anything":1}', 5, /a report was not counted\n$/],
  ])('that of %s reads the file: row %#', async (name, report, exitCode, printed) => {
    const service = await openService();
    const workspace = await makeWorkspace({ 'scan.json': report });
    const { outputs } = await runAction(workspace, { 'base-url': service.url });
    const scripts = listSteps(readText('examples', name)).map(({ run }) => String(run));
    const script = scripts.find((text) => text.includes('"$RESULTS"')) ?? 'exit 99';
    const temp = await makeFolder();
    const own = { RUNNER_TEMP: temp, GITHUB_OUTPUT: join(temp, 'output') };
    const env = { PATH: process.env.PATH, RESULTS: outputs['results-path'], ...own };
    const run = spawnSync('bash', ['--norc', '-ec', script], { env, encoding: 'utf8' });
    expect(run).toMatchObject({ status: exitCode });
    expect(run.stdout + run.stderr).toMatch(printed);
    if (name !== 'receipt.yml') return;
    const check = ['--check', '--strict', join(temp, 'SHA256SUMS')];
    expect(spawnSync('sha256sum', check, { cwd: workspace }).status).toBe(0);
    const scan = { service: service.url, scanKey: SCAN_KEY, files: [{ path: 'scan.json' }] };
    const predicate: unknown = JSON.parse(readFileSync(join(temp, 'predicate.json'), 'utf8'));
    expect(predicate).toMatchObject({ scans: [scan] });
  });
});
