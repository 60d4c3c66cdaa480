import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { ACTION } from '../support/run-action.ts';
import { REPOSITORY } from '../../scripts/repository.ts';
import { SBOM, REPORT, SCAN_KEY } from '../support/samples.ts';
import { makeFolder } from '../support/directories.ts';
import { makeCertificate } from '../support/certificates.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import type { Members } from '../support/workflows.ts';
import { listMembers, readMembers } from '../support/workflows.ts';

const EXAMPLES = join(ACTION, 'examples');
const WORKFLOWS = join(ACTION, '.github', 'workflows');
const NAMES = readdirSync(EXAMPLES).filter((name) => name.endsWith('.yml'));
const OWN = new RegExp(`^(?:\\./|(?:https://github\\.com/)?${REPOSITORY}@)`);
const OUTPUT = /\bsteps\.([\w-]+)\.outputs(?:\.([\w-]+)|\['([^']+)'\])/g;
const { inputs: INPUTS, outputs: OUTPUTS } = readMembers(
  load(readFileSync(join(ACTION, 'action.yml'), 'utf8')),
);

function readExample(name: string): string {
  return readFileSync(join(EXAMPLES, name), 'utf8');
}

function listJobs(source: string): readonly Members[] {
  return listMembers(load(source), 'jobs');
}

function listSteps(source: string): readonly Members[] {
  return listJobs(source).flatMap((job) => listMembers(job, 'steps'));
}

/** The `with` of each step that uses an action whose name matches. */
function listInputs(source: string, action: RegExp): readonly Members[] {
  return listSteps(source)
    .filter((step) => action.test(String(step['uses'])))
    .map((step) => readMembers(step['with']));
}

test('examples/README.md lists exactly the examples that exist', () => {
  const list = [...readExample('README.md').matchAll(/^- \[.*?\]\((.*?)\): \S.*$/gm)];
  expect(list.map(([, name = '']) => name).toSorted()).toEqual(NAMES.toSorted());
});

describe.each([
  ...NAMES.map((name) => join('examples', name)),
  ...readdirSync(WORKFLOWS).map((name) => join('.github', 'workflows', name)),
])('%s', (path) => {
  const source = readFileSync(join(ACTION, path), 'utf8');

  test('names inputs and outputs that action.yml has', () => {
    const steps = listSteps(source).filter((step) => OWN.test(String(step['uses'])));
    const inputs = steps.flatMap((step) => Object.keys(readMembers(step['with'])));
    expect(inputs.filter((name) => !Object.hasOwn(readMembers(INPUTS), name))).toEqual([]);
    const ids = new Set(steps.map((step) => step['id']));
    const outputs = [...source.matchAll(OUTPUT)].filter(([, id]) => ids.has(id));
    const names = outputs.map(([, , name, quoted = '']) => name ?? quoted);
    expect(names.filter((name) => !Object.hasOwn(readMembers(OUTPUTS), name))).toEqual([]);
  });
});

describe.each(NAMES)('%s', (name) => {
  const source = readExample(name);

  test('starts with a comment that says what it does and what to set up', () => {
    const comment = /^(?:# .+\n){1,4}(?=name: )/.exec(source)?.[0] ?? '';
    expect(comment).toMatch(/^# Set up: /m);
  });

  test('sets permissions for each job, and none for the workflow', () => {
    expect(load(source)).toMatchObject({ permissions: {} });
    expect(source).toMatch(/^permissions: \{\}$/m);
    for (const job of listJobs(source)) {
      expect(job).toHaveProperty('permissions');
    }
  });

  test('does not persist the credentials of actions/checkout', () => {
    for (const inputs of listInputs(source, /actions\/checkout@/)) {
      expect(inputs['persist-credentials']).toBe(false);
    }
  });

  test('has no expression in a script', () => {
    for (const step of listSteps(source)) expect(String(step['run'])).not.toContain('${{');
  });

  test('sets inputs that the action accepts', async () => {
    for (const inputs of listInputs(source, OWN)) {
      const [workspace, runnerTemp] = [await makeWorkspace({}), await makeFolder()];
      const values = Object.fromEntries(
        Object.entries(inputs).map(([key, value]) => [key, evaluate(String(value), runnerTemp)]),
      );
      placeFiles(workspace, values);
      const machine = 'ca-cert' in values && { 'ca-cert': makeCertificate().certPath };
      const run = await runAction(
        workspace,
        // runAction sets one scan by default, which an example with `scans` must not have.
        { 'scan-key': '', 'scan-file': '', ...values, ...machine, 'dry-run': 'true' },
        { runnerTemp },
      );
      expect(run.outputs).toMatchObject({ result: 'dry-run', error: '' });
      expect(run.annotations).toEqual([]);
    }
  });
});

/** Whether a step runs no action, an action of GitHub or this action. */
function isTrusted(step: Members): boolean {
  const uses = step['uses'];
  return typeof uses !== 'string' || uses.startsWith('actions/') || OWN.test(uses);
}

describe.each(['release.yml', 'trivy.yml', 'oidc.yml', 'fork-scan.yml', 'fork-upload.yml'])(
  '%s',
  (name) => {
    test('gives no credentials to jobs with third-party actions', () => {
      const jobs = listJobs(readExample(name)).filter(
        (job) => !listMembers(job, 'steps').every(isTrusted),
      );
      for (const job of jobs) expect(JSON.stringify(job)).not.toMatch(/secrets\.|id-token/);
    });
  },
);

/** Writes the files of a scan to the paths in the inputs. */
function placeFiles(workspace: string, inputs: Readonly<Record<string, string>>): void {
  const one = { 'dependencies-file': 'bom.cdx.json', 'vulnerabilities-file': 'report.json' };
  const scans = JSON.stringify([{ 'scan-key': SCAN_KEY, ...one }]);
  const contents = {
    'dependencies-file': SBOM,
    'vulnerabilities-file': REPORT,
    'scan-file': REPORT,
    scans,
  };
  const named = new Map(Object.entries({ ...('scans' in inputs && one), ...inputs }));
  for (const [role, content] of Object.entries(contents)) {
    const path = named.get(role);
    if (path === undefined) continue;
    mkdirSync(dirname(resolve(workspace, path)), { recursive: true });
    writeFileSync(resolve(workspace, path), content);
  }
}

/** An input with its expressions evaluated, as the runner does. */
function evaluate(text: string, runnerTemp: string): string {
  const values = new Map([
    ['runner.temp', runnerTemp],
    ['steps.codeql.outputs.sarif-output', join(runnerTemp, 'codeql')],
    ['steps.sbom.outputs.path', join(runnerTemp, 'bom.cdx.json')],
    ['secrets.SCAN_UPLOAD_TOKEN', 'token-that-is-secret-4711'],
    ['matrix.scan-key', SCAN_KEY],
    ['vars.SCAN_KEY', SCAN_KEY],
    ['vars.PULL_REQUEST_SCAN_KEY', SCAN_KEY],
  ]);
  return text.replace(/\$\{\{ (\S+) \}\}/g, (_expression, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new TypeError(`no value for ${name}`);
    return value;
  });
}
