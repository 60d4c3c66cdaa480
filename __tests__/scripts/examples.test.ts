import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { REPOSITORY } from '../../scripts/repository.ts';
import { Problems } from '../../src/inputs/fields.ts';
import { readInputs } from '../../src/inputs/inputs.ts';
import { makeFolder } from '../support/directories.ts';
import { isolateEnvironment, setInputs } from '../support/inputs.ts';
import { ACTION, TOKEN } from '../support/run-action.ts';
import { SCAN_KEY } from '../support/samples.ts';
import type { Members } from '../support/workflows.ts';
import {
  CALL,
  listDeclared,
  listMembers,
  listNames,
  readMembers,
  readText,
} from '../support/workflows.ts';

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

/** The steps of examples and pages that run this action, and the jobs that call its workflow. */
const UPLOADS = [
  ...EXAMPLES.map((name) => [name, readText('examples', name)] as const),
  ...['README.md', 'docs/multiple-scans.md', 'docs/summary.md'].flatMap((path) =>
    Array.from(
      readText(path).matchAll(/^```yaml\n(.*?)^```$/gms),
      ([, text = '']) => [path, text] as const,
    ),
  ),
].flatMap(([path, text]) =>
  [...listSteps(text), ...listJobs(text)]
    .filter(({ uses }) => uses === UPLOAD || OWN.test(String(uses)))
    .map((step) => [path, readMembers(step['with']), step['uses'] === UPLOAD] as const),
);

describe('the upload', () => {
  isolateEnvironment();

  test.each(UPLOADS)(
    'of %s has inputs that the action accepts: row %#',
    async (_, given, isCall) => {
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
      const { scans } = await readInputs(workspace, new Problems());
      expect(scans).toContainEqual(expect.objectContaining({ scanKey: SCAN_KEY }));
    },
  );
});
