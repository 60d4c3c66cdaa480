import { afterEach, expect, jest, test } from '@jest/globals';
import { isolateEnvironment } from '../support/inputs.ts';
import { makeWorkspace, readResults } from '../support/run-action.ts';
import { openServer } from '../support/servers.ts';
import { REPORT, SBOM } from '../support/workspace.ts';

const service = { ...(await import('../../src/service/operations.ts')) };

const SECRETS = { name: 'Secrets', input: 'secrets-file', isJson: false, expects: 'report' };
/** It shares two parts with another operation. */
const THREE = { name: 'upload-three-files', parts: [...service.PARTS.slice(1), SECRETS] };

jest.unstable_mockModule('../../src/service/operations.ts', () => ({
  ...service,
  PARTS: [...service.PARTS, SECRETS],
  OPERATIONS: [...service.OPERATIONS, THREE],
}));

const { runHere } = await import('../support/run-here.ts');

isolateEnvironment();
afterEach(() => {
  jest.restoreAllMocks();
});

const FILES = { 'bom.json': SBOM, 'report.json': REPORT, 'secrets.json': REPORT };
const PAIR = { 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'report.json' };

test.each([
  ['one file', { 'scan-file': 'report.json' }, 'upload-file', ['ScanJsonFile']],
  ['two', PAIR, 'upload-multiple-files', ['DependenciesCDX', 'VulnerabilitiesTool']],
  [
    'three',
    { ...PAIR, 'secrets-file': 'secrets.json' },
    'upload-three-files',
    ['DependenciesCDX', 'VulnerabilitiesTool', 'Secrets'],
  ],
])('an operation of three parts is a row: %s', async (_, inputs, operation, parts) => {
  const server = await openServer(async (peer) => {
    await peer.readUpload();
    peer.reply(200);
  });
  const given = { 'base-url': server.origin, ...inputs };
  const { exitCode, outputs } = await runHere(await makeWorkspace(FILES), given);
  expect(exitCode).toBe(0);
  expect(server.peer.head[0]).toBe(`POST /v1/scanner/${operation} HTTP/1.1`);
  const names = server.peer.body.toString().matchAll(/ name="(\w+)"; filename=/g);
  expect(Array.from(names, ([, name]) => name)).toEqual(parts);
  const manifest = parts.map((part) => ({ part }));
  expect(readResults({ outputs })).toMatchObject([{ operation, manifest }]);
});

test('three files that could be in two of its parts are refused', async () => {
  const inputs = { 'base-url': 'http://127.0.0.1:9', files: '*.json' };
  const { exitCode, outputs } = await runHere(await makeWorkspace(FILES), inputs);
  expect([exitCode, outputs.reason]).toEqual([1, 'files']);
});
