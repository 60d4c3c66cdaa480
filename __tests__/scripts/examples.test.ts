import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { ACTION } from '../support/run-action.ts';
import { OWN } from '../support/workflow-runner.ts';
import type { Members } from '../support/workflows.ts';
import { listDeclared, listMembers, readMembers, readText } from '../support/workflows.ts';

const NAMES = readdirSync(join(ACTION, 'examples')).filter((name) => name.endsWith('.yml'));
const WORKFLOWS = readdirSync(join(ACTION, '.github', 'workflows'));
const OUTPUT = /\bsteps\.([\w-]+)\.outputs(?:\.([\w-]+)|\['([^']+)'\])/g;

function listJobs(source: string): readonly Members[] {
  return listMembers(load(source), 'jobs');
}

function listSteps(source: string): readonly Members[] {
  return listJobs(source).flatMap((job) => listMembers(job, 'steps'));
}

test('examples/README.md lists exactly the examples that exist', () => {
  const list = [...readText('examples', 'README.md').matchAll(/^- \[.*?\]\((.*?)\): \S.*$/gm)];
  expect(list.map(([, name = '']) => name).toSorted()).toEqual(NAMES.toSorted());
});

describe.each([
  ...NAMES.map((name) => join('examples', name)),
  ...WORKFLOWS.map((name) => join('.github', 'workflows', name)),
])('%s', (path) => {
  const source = readText(path);
  const steps = listSteps(source);

  test('names inputs and outputs that action.yml has', () => {
    const own = steps.filter(({ uses }) => OWN.test(String(uses)));
    const inputs = own.flatMap((step) => Object.keys(readMembers(step['with'])));
    expect(listDeclared('inputs')).toEqual(expect.arrayContaining(inputs));
    const ids = new Set(own.map((step) => step['id']));
    const outputs = [...source.matchAll(OUTPUT)].filter(([, id]) => ids.has(id));
    const names = outputs.map(([, , name, quoted = '']) => name ?? quoted);
    expect(listDeclared('outputs')).toEqual(expect.arrayContaining(names));
  });

  test('gives each job its permissions alone, and keeps no credentials of a checkout', () => {
    expect(load(source)).toMatchObject({ permissions: {} });
    expect(source).toMatch(/^permissions: \{\}$/m);
    for (const job of listJobs(source)) expect(job['permissions']).toEqual(expect.any(Object));
    const checkouts = steps.filter(({ uses }) => /actions\/checkout@/.test(String(uses)));
    for (const step of checkouts) {
      expect(step).toMatchObject({ with: { 'persist-credentials': false } });
    }
  });
});

describe.each(NAMES)('%s', (name) => {
  const source = readText('examples', name);

  test('starts with a comment that says what it does and what to set up', () => {
    const comment = /^(?:# .+\n){1,4}(?=name: )/.exec(source)?.[0] ?? '';
    expect(comment).toMatch(/^# Set up: /m);
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
    const jobs = listJobs(readText('examples', name)).filter(
      (job) => !listMembers(job, 'steps').every(isTrusted),
    );
    for (const job of jobs) expect(JSON.stringify(job)).not.toMatch(/secrets\.|id-token/);
  });
});
