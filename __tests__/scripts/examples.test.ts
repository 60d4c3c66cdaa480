import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { ACTION } from '../support/run-action.ts';
import { SBOM, REPORT, SCAN_KEY } from '../support/samples.ts';
import { makeFolder } from '../support/directories.ts';
import { makeCertificate } from '../support/certificates.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';

const EXAMPLES = join(ACTION, 'examples');
const WORKFLOWS = join(ACTION, '.github', 'workflows');
const NAMES = readdirSync(EXAMPLES).filter((name) => name.endsWith('.yml'));
const OWN = /^(?:\.\/|(?:https:\/\/github\.com\/)?your-org\/scan-upload-action@)/;
const OUTPUT = /\bsteps\.([\w-]+)\.outputs(?:\.([\w-]+)|\['([^']+)'\])/g;
const { inputs: INPUTS, outputs: OUTPUTS } = readMembers(
  load(readFileSync(join(ACTION, 'action.yml'), 'utf8')),
);

type Members = Readonly<Record<string, unknown>>;

function readMembers(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function readExample(name: string): string {
  return readFileSync(join(EXAMPLES, name), 'utf8');
}

function listJobs(source: string): readonly Members[] {
  return Object.values(readMembers(readMembers(load(source))['jobs'])).map(readMembers);
}

function listSteps(source: string): readonly Members[] {
  return listJobs(source).flatMap((job) =>
    Object.values(readMembers(job['steps'])).map(readMembers),
  );
}

/** The `with` of each step that uses such an action. */
function listInputs(source: string, action: RegExp): readonly Members[] {
  return listSteps(source)
    .filter((step) => action.test(String(step['uses'])))
    .map((step) => readMembers(step['with']));
}

test('examples/README.md has a line for each example, and no more', () => {
  const list = [...readExample('README.md').matchAll(/^- \[.*?\]\((.*?)\): \S.*$/gm)];
  expect(list.map(([, name = '']) => name).toSorted()).toEqual(NAMES.toSorted());
});

describe.each([
  ...NAMES.map((name) => join('examples', name)),
  ...readdirSync(WORKFLOWS).map((name) => join('.github', 'workflows', name)),
])('%s', (path) => {
  const source = readFileSync(join(ACTION, path), 'utf8');

  test('pins every action to a commit, and says its version', () => {
    const uses = [...source.matchAll(/ uses: ['"]?([^\s'"/]+\/.*)/g)].map(([, text = '']) => text);
    const others = uses.filter((text) => !OWN.test(text));
    expect(others.filter((text) => !/@[0-9a-f]{40}['"]? # v\d/.test(text))).toEqual([]);
  });

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

  test('says in its first lines what it is for and what has to be set up', () => {
    const comment = /^(?:# .+\n){1,4}(?=name: )/.exec(source)?.[0] ?? '';
    expect(comment).toMatch(/^# Set up: /m);
  });

  test('gives no permission to all jobs, and each job its own', () => {
    expect(load(source)).toMatchObject({ permissions: {} });
    expect(source).toMatch(/^permissions: \{\}$/m);
    for (const job of listJobs(source)) {
      expect(Object.keys(readMembers(job['permissions']))).not.toEqual([]);
    }
  });

  test('leaves no credentials behind', () => {
    for (const inputs of listInputs(source, /actions\/checkout@/)) {
      expect(inputs['persist-credentials']).toBe(false);
    }
  });

  test('has no expression in a script', () => {
    for (const step of listSteps(source)) expect(String(step['run'])).not.toContain('${{');
  });

  test('gives the action what it accepts', async () => {
    for (const inputs of listInputs(source, OWN)) {
      const [workspace, runnerTemp] = [await makeWorkspace({}), await makeFolder()];
      const values = Object.fromEntries(
        Object.entries(inputs).map(([key, value]) => [key, evaluate(String(value), runnerTemp)]),
      );
      placeFiles(workspace, values);
      const machine = 'ca-cert' in values && { 'ca-cert': makeCertificate().certPath };
      const run = await runAction(
        workspace,
        // One scan's defaults of the tests are not for an example of many.
        { 'scan-key': '', 'scan-file': '', ...values, ...machine, 'dry-run': 'true' },
        { runnerTemp },
      );
      expect(run.outputs).toMatchObject({ result: 'dry-run', error: '' });
      expect(run.annotations).toEqual([]);
    }
  });
});

/** Writes the files of a scan to where the inputs look for them. */
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

/** An input as the runner would fill it in. */
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
