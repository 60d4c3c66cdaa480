import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { REPOSITORY } from '../../scripts/repository.ts';
import { Faults } from '../../src/inputs/fields.ts';
import { readInputs } from '../../src/inputs/inputs.ts';
import { isolateEnvironment, setInputs } from '../support/inputs.ts';
import type { Members } from '../support/repository.ts';
import {
  CALL,
  listDeclared,
  listMembers,
  listNames,
  readMembers,
  readText,
} from '../support/repository.ts';
import { ACTION, TOKEN } from '../support/run-action.ts';
import { makeFolder, SCAN_KEY } from '../support/workspace.ts';

const EXAMPLES = globSync('examples/*.yml', { cwd: ACTION }).map((path) => basename(path));
const UPLOAD = `${REPOSITORY}/.github/workflows/upload.yml@v1`;
/** What stands before a step's `uses` if it runs this action. */
const OWN = new RegExp(`^(?:\\./|${REPOSITORY}@)`);
const OUTPUT = /\bsteps\.([\w-]+)\.outputs(?:\.([\w-]+)|\['([^']+)'\])/g;

function listJobs(source: string): readonly Members[] {
  return listMembers(load(source), 'jobs');
}

function listSteps(source: string): readonly Members[] {
  return listJobs(source).flatMap((job) => listMembers(job, 'steps'));
}

test('examples/README.md lists exactly the examples that exist', () => {
  const list = [...readText('examples', 'README.md').matchAll(/^- \[.*?\]\((.*?)\): \S.*$/gm)];
  expect(list.map(([, name = '']) => name).toSorted()).toEqual(EXAMPLES.toSorted());
});

describe.each([
  ...EXAMPLES.map((name) => `examples/${name}`),
  ...globSync('.github/workflows/*.yml', { cwd: ACTION }),
])('%s', (path) => {
  const source = readText(path);

  test('names inputs and outputs that action.yml has', () => {
    const own = listSteps(source).filter(({ uses }) => OWN.test(String(uses)));
    const inputs = own.flatMap((step) => listNames(step, 'with'));
    expect(listDeclared('inputs')).toEqual(expect.arrayContaining(inputs));
    const ids = new Set(own.map((step) => step['id']));
    const outputs = [...source.matchAll(OUTPUT)].filter(([, id]) => ids.has(id));
    const names = outputs.map(([, , name, quoted = '']) => name ?? quoted);
    expect(listDeclared('outputs')).toEqual(expect.arrayContaining(names));
  });

  test('gives each job its permissions alone', () => {
    // The called workflow has those of its caller: a test of its own.
    const isCalled = path.endsWith('upload.yml') && path.startsWith('.github');
    expect(/^permissions: \{\}$/m.test(source)).toBe(!isCalled);
    const jobs = listJobs(source).map((job) => typeof job['permissions']);
    expect(new Set(jobs)).toEqual(new Set([isCalled ? 'undefined' : 'object']));
  });
});

test.each(EXAMPLES)('%s calls only upload.yml, with inputs and secrets that it has', (name) => {
  const source = readText('examples', name);
  for (const { uses, with: inputs, secrets } of listJobs(source).filter((job) => 'uses' in job)) {
    expect(uses).toBe(UPLOAD);
    expect(listNames(CALL, 'inputs')).toEqual(expect.arrayContaining(listNames(inputs)));
    expect(listNames(CALL, 'secrets')).toEqual(expect.arrayContaining(listNames(secrets)));
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

/** The YAML of examples and pages, with its path. */
const SOURCES = [
  ...EXAMPLES.map((name) => [name, readText('examples', name)] as const),
  ...globSync(['*.md', 'docs/*.md'], { cwd: ACTION }).flatMap((path) =>
    Array.from(
      readText(path).matchAll(/^( *)```yaml\n(.*?)^ *```$/gms),
      ([, indent, text = '']) => {
        return [path, text.replaceAll(new RegExp(`^${indent}`, 'gm'), '')] as const;
      },
    ),
  ),
];

/** The steps of examples and pages that run this action, and the jobs that call its workflow. */
const UPLOADS = SOURCES.flatMap(([path, text]) =>
  [...listSteps(text), ...listJobs(text)]
    .filter(({ uses }) => uses === UPLOAD || OWN.test(String(uses)))
    .map((step) => [path, readMembers(step['with']), step['uses'] === UPLOAD] as const),
);

describe('the upload', () => {
  isolateEnvironment();

  test.each(UPLOADS)('of %s has inputs that the action accepts: %j', async (_, given, isCall) => {
    const workspace = await makeFolder({
      'scans.json': JSON.stringify([{ 'scan-key': SCAN_KEY, files: 'a' }]),
    });
    const values = { secrets: TOKEN, vars: SCAN_KEY, runner: workspace, github: 'true' };
    const filled = Object.entries(given).map(([name, value]) => {
      const text = String(value).replaceAll(/\$\{\{ (\w+)\.[^}]*\}\}/g, (_expression, scope) =>
        String(Reflect.get(values, scope) ?? 'made.json'),
      );
      return [name, text] as const;
    });
    // The called workflow takes these from variables and a secret.
    const called = { 'base-url': 'https://scans.example', token: TOKEN, 'scan-key': SCAN_KEY };
    setInputs({ ...(isCall && called), ...Object.fromEntries(filled), 'ca-cert': '' });
    // It rejects for any input that is wrong, unknown or missing.
    const { scans } = await readInputs(workspace, new Faults());
    expect(scans).toContainEqual(expect.objectContaining({ scanKey: SCAN_KEY }));
  });
});

/** The uploads to the scan key that `main` has. */
const OF_MAIN = UPLOADS.filter(([, given]) =>
  [undefined, '${{ vars.SCAN_KEY }}'].includes(given['scan-key']?.toString()),
);

/** The examples that run for pushes to one branch alone. */
const PUSHED = EXAMPLES.filter((name) => {
  const triggers = readMembers(load(readText('examples', name)))['on'];
  return JSON.stringify(triggers) === '{"push":{"branches":["main"]}}';
});

test('only releases and pull requests from forks have a scan key of their own', () => {
  const others = UPLOADS.filter((upload) => !OF_MAIN.includes(upload)).map(([path]) => path);
  expect(others.toSorted()).toEqual(['fork-upload.yml', 'release.yml']);
});

/** Whether a run with this event and ref only checks the files, by the expression of `dry-run`. */
function isDryRun(given: Members, github: Members): boolean {
  const expression = /^\$\{\{ github\.(\w+) ([!=])= '([^']*)' \}\}$/;
  const [, name = '', operator, value] = expression.exec(String(given['dry-run'])) ?? [];
  return (github[name] === value) === (operator === '=');
}

test.each([
  ['push', 'refs/heads/main', true],
  ['push', 'refs/heads/login', false],
  ['push', 'refs/tags/main', false],
  ['pull_request', 'refs/pull/12/merge', false],
  ['merge_group', 'refs/heads/gh-readonly-queue/main/pr-12-1a2b3c4', false],
  ['schedule', 'refs/heads/main', true],
  ['workflow_dispatch', 'refs/heads/main', true],
  ['workflow_dispatch', 'refs/heads/login', false],
])('a %s of %s uploads to the scan key of main: %s', (eventName, ref, isUpload) => {
  const uploads = OF_MAIN.filter(([, given]) => !isDryRun(given, { event_name: eventName, ref }));
  // Where only pushes to one branch start a workflow, its name stands in no other place.
  const isPushed = eventName !== 'pull_request';
  const expected = OF_MAIN.filter(([path]) => (PUSHED.includes(path) ? isPushed : isUpload));
  expect(uploads).toEqual(expected);
});

test('the gates of examples and pages are open for the text `true` alone', () => {
  const conditions = SOURCES.flatMap(
    ([, text]) => text.match(/^.*\bif: .*\.uploaded\b.*$/gm) ?? [],
  );
  expect(conditions.length).toBeGreaterThan(1);
  for (const condition of conditions)
    expect(condition).toMatch(/\.outputs\.uploaded == 'true' \}\}$/);
});

test('examples and pages search `findings` only for a count that is 0', () => {
  const searches = SOURCES.flatMap(
    ([, text]) => text.match(/^.*(?<!: \$\{\{ steps\.upload)\.outputs\.findings\b.*$/gm) ?? [],
  );
  expect(searches.length).toBeGreaterThan(3);
  const COUNT =
    /contains\(\w+\.upload\.outputs\.findings, '"(?:critical|high|unrated|marked)":0,'\)/;
  for (const search of searches) expect(search).toMatch(COUNT);
});

test('artifacts with scans are kept for a week, and the runs of one branch replace no others', () => {
  const steps = SOURCES.flatMap(([, text]) => listSteps(text));
  const kept = steps.filter(({ uses }) => String(uses).startsWith('actions/upload-artifact@'));
  expect(kept.length).toBeGreaterThan(5);
  for (const step of kept) expect(step['with']).toMatchObject({ 'retention-days': 7 });
  const groups = SOURCES.flatMap(([, text]) => text.match(/^ *group: .*$/gm) ?? []);
  expect(groups.length).toBeGreaterThan(1);
  for (const group of groups)
    expect(group).toMatch(/-\$\{\{ github\.(?:ref|.*\.head_branch) \}\}$/);
});
