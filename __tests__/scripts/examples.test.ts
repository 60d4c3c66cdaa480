import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  listEntries,
  listItems,
  parseTree,
  readMember,
  readText,
} from '../../scripts/workflows/tree.ts';
import type { Tree } from '../../scripts/workflows/tree.ts';
import { makeCertificate } from '../support/certificates.ts';
import { makeFolder } from '../support/directories.ts';
import { ACTION, makeWorkspace, runAction } from '../support/run-action.ts';
import { INVENTORY, REPORT, SCAN_KEY } from '../support/samples.ts';

const FOLDER = join(ACTION, 'examples');
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.yml'));

function readSource(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

function parseExample(name: string): Tree {
  const workflow = parseTree(readSource(name));
  if (!('kind' in workflow)) throw new TypeError(`${name} is ${workflow.message}`);
  return workflow;
}

function listSteps(name: string): readonly Tree[] {
  const jobs = listEntries(readMember(parseExample(name), 'jobs'));
  return jobs.flatMap(({ value }) => listItems(readMember(value, 'steps')));
}

/** The `with` of each step that uses an action of this name. */
function listInputs(name: string, action: string): readonly (Tree | undefined)[] {
  return listSteps(name)
    .filter((step) => readText(readMember(step, 'uses')).includes(`${action}@`))
    .map((step) => readMember(step, 'with'));
}

test('examples/README.md has a line for each example, and no more', () => {
  const list = [...readSource('README.md').matchAll(/^- \[.*?\]\((.*?)\): \S.*$/gm)];
  expect(list.map(([, name = '']) => name).toSorted()).toEqual(NAMES.toSorted());
});

describe.each(NAMES)('%s', (name) => {
  test('says in its first lines what it is for and what has to be set up', () => {
    const comment = /^(?:# .+\n){1,4}(?=name: )/.exec(readSource(name))?.[0] ?? '';
    expect(comment).toMatch(/^# Set up: /m);
  });

  test('gives no permission to all jobs, and each job its own', () => {
    const workflow = parseExample(name);
    const permissions = readMember(workflow, 'permissions');
    expect(permissions).toEqual({ kind: 'mapping', entries: [] });
    for (const { value } of listEntries(readMember(workflow, 'jobs'))) {
      expect(listEntries(readMember(value, 'permissions'))).not.toEqual([]);
    }
  });

  test('leaves no credentials behind', () => {
    for (const inputs of listInputs(name, 'actions/checkout')) {
      expect(readText(readMember(inputs, 'persist-credentials'))).toBe('false');
    }
  });

  test('has no expression in a script', () => {
    for (const step of listSteps(name)) {
      expect(readText(readMember(step, 'run'))).not.toContain('${{');
    }
  });

  test('gives the action what it accepts', async () => {
    for (const inputs of listInputs(name, 'your-org/scan-upload-action')) {
      const [workspace, runnerTemp] = [await makeWorkspace({}), await makeFolder()];
      const values = Object.fromEntries(
        listEntries(inputs).map(({ key, value }) => [
          readText(key),
          evaluate(readText(value), runnerTemp),
        ]),
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

/** What a scan would have left where the inputs look for it. */
function placeFiles(workspace: string, inputs: Readonly<Record<string, string>>): void {
  const one = { 'dependencies-file': 'bom.cdx.json', 'vulnerabilities-file': 'report.json' };
  const scans = JSON.stringify([{ 'scan-key': SCAN_KEY, ...one }]);
  const contents = {
    'dependencies-file': INVENTORY,
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
    ['steps.inventory.outputs.path', join(runnerTemp, 'bom.cdx.json')],
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
