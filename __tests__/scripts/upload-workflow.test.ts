import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { REPOSITORY } from '../../scripts/repository.ts';
import {
  CALL,
  CALLED,
  listDeclared,
  listMembers,
  listNames,
  readMembers,
  readText,
} from '../support/repository.ts';

const [JOB = {}] = listMembers(CALLED, 'jobs');
const [CHECK = {}, , STEP = {}] = listMembers(JOB, 'steps');

test('the called workflow passes its inputs and secrets on to the action', () => {
  const { artifact: _artifact, 'runs-on': _runsOn, ...inputs } = readMembers(CALL['inputs']);
  const passed = Object.keys(inputs).map((name) => [name, `\${{ inputs.${name} }}`]);
  expect(STEP['with']).toEqual({
    ...Object.fromEntries(passed),
    // With `scans` the action allows no scan key, not even a default.
    'scan-key': "${{ inputs.scan-key || !inputs.scans && vars.SCAN_KEY || '' }}",
    'base-url': '${{ inputs.base-url || vars.SCAN_UPLOAD_URL }}',
    // The second is what `secrets: inherit` passes.
    token: '${{ secrets.token || secrets.SCAN_UPLOAD_TOKEN }}',
  });
  expect(listNames(CALL, 'secrets')).toEqual(['token', 'SCAN_UPLOAD_TOKEN']);
  expect(listDeclared('inputs')).toEqual(expect.arrayContaining(Object.keys(inputs)));
});

test('the called workflow names the variable that is missing, before it downloads anything', () => {
  expect(CHECK['if']).toMatch(/!inputs\.base-url && !vars\.SCAN_UPLOAD_URL && /);
  const script = String(CHECK['run']);
  const run = spawnSync('bash', ['-e', '-c', script], { encoding: 'utf8' });
  expect(run).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^::error .*SCAN_UPLOAD_URL/),
  });
});

test('the called workflow returns outputs of the action, and asks for no permissions', () => {
  const names = ['uploaded', 'result', 'reason', 'status-code', 'error', 'findings'];
  const list = (of: string) => names.map((name) => `\${{ ${of}.upload.outputs.${name} }}`);
  const values = listMembers(CALL, 'outputs').map(({ value }) => value);
  expect([listNames(CALL, 'outputs'), values]).toEqual([names, list('jobs')]);
  const ofJob = readMembers(JOB['outputs']);
  expect([Object.keys(ofJob), Object.values(ofJob)]).toEqual([names, list('steps')]);
  expect(listDeclared('outputs')).toEqual(expect.arrayContaining(names));
  expect(STEP['id']).toBe('upload');
  expect([...listNames(CALLED), ...listNames(JOB)]).not.toContain('permissions');
});

test('the called workflow runs the action of a release, by its commit after the first one', () => {
  const [, version] = readText('.github/workflows/upload.yml').split(`- uses: ${REPOSITORY}@`);
  expect(version).toMatch(/^(?:v1|[0-9a-f]{40} # v1\.\d+\.\d+)\n/);
});
