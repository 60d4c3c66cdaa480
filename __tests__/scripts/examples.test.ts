import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { ACTION } from '../support/run-action.ts';
import { OWN } from '../support/workflow-runner.ts';
import type { Members } from '../support/workflows.ts';
import { listMembers, readMembers } from '../support/workflows.ts';

const EXAMPLES = join(ACTION, 'examples');
const WORKFLOWS = join(ACTION, '.github', 'workflows');
const NAMES = readdirSync(EXAMPLES).filter((name) => name.endsWith('.yml'));
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
});

/** Whether a step runs no action, an action of GitHub or this action. */
function isTrusted(step: Members): boolean {
  const uses = step['uses'];
  return typeof uses !== 'string' || uses.startsWith('actions/') || OWN.test(uses);
}

describe.each([
  'api-key.yml',
  'dry-run.yml',
  'fork-scan.yml',
  'fork-upload.yml',
  'gate.yml',
  'oidc.yml',
  'release.yml',
  'trivy.yml',
])('%s', (name) => {
  test('gives no credentials to jobs with third-party actions', () => {
    const jobs = listJobs(readExample(name)).filter(
      (job) => !listMembers(job, 'steps').every(isTrusted),
    );
    for (const job of jobs) expect(JSON.stringify(job)).not.toMatch(/secrets\.|id-token/);
  });
});
