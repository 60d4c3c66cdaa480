import { expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { readText } from '../support/repository.ts';
import { makeWorkspace, readResultsText, runAction, TOKEN } from '../support/run-action.ts';
import { openService } from '../support/servers.ts';
import { REPORT, makeKey } from '../support/workspace.ts';

// Log, summary, outputs and results of five steps, word for word. After a change: npm test -- golden -u

/** What a step shows, without what differs from run to run. */
function show({ exitCode, log, summary, outputs, ...run }: StepRun, url: string): string {
  const named = Object.entries(outputs).map(([name, value]) => `${name}=${value}`);
  const masks = `masks=${run.masks.join()}`;
  const results = readResultsText({ outputs }).replaceAll('},{', '},\n{');
  return [`exit ${exitCode}, ${masks}`, log, summary, named.join('\n'), results]
    .join('\n\n')
    .replaceAll(url, 'http://127.0.0.1:80')
    .replaceAll(/\b\d+(?:\.\d)? m?s\b/g, '1 ms')
    .replaceAll(/\b(?:00-)?[\da-f]{32}(?:-[\da-f]{16}-0\d)?\b/g, 'TRACE')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/(?<=results-path=).*/, 'PATH');
}

const SCANS = ['billing', 'shop', ''].map((name, index) => ({
  ...(name !== '' && { name }),
  'scan-key': makeKey(index),
  'scan-file': `${index}.json`,
}));
const SEVERAL = { scans: JSON.stringify(SCANS), 'scan-key': '', 'scan-file': '' };
const PROBLEM = {
  title: 'Unknown scan',
  status: 400,
  detail: 'No scan has this key.',
  traceId: '00-abc-def-01',
  errors: { ScanKey: ['is not known', 'is too old'], '': ['The form is incomplete.'] },
};

test('an accepted scan', async () => {
  const service = await openService({ token: TOKEN });
  const run = await runAction(await makeWorkspace(), { 'base-url': service.url });
  expect(show(run, service.url)).toMatchSnapshot();
});

test('a pair, and what the service says', async () => {
  const body = '{"success":true,"errors":["Old format."],"message":"It is in.","url":"a%b"}';
  const service = await openService({ token: TOKEN, responses: [{ status: 200, body }] });
  const inputs = { files: 'bom.cdx.json\nvulnerabilities.json', 'base-url': service.url };
  const workspace = await makeWorkspace({
    'bom.cdx.json': readText('local', 'scans', 'bom.cdx.json'),
    'vulnerabilities.json': readText('local', 'scans', 'vulnerabilities.json'),
  });
  const run = await runAction(workspace, inputs);
  expect(show(run, service.url)).toMatchSnapshot();
});

test('a refused scan', async () => {
  const responses = [{ status: 400, body: JSON.stringify(PROBLEM) }];
  const service = await openService({ token: TOKEN, responses });
  const run = await runAction(await makeWorkspace(), { 'base-url': service.url });
  expect(show(run, service.url)).toMatchSnapshot();
});

test('several scans, of which two are refused', async () => {
  const service = await openService({ token: TOKEN, scanKeys: [makeKey(0)] });
  const tree = Object.fromEntries([0, 1, 2].map((name) => [`${name}.json`, REPORT]));
  const inputs = { 'base-url': service.url, 'max-parallel': '1', ...SEVERAL };
  const run = await runAction(await makeWorkspace(tree), inputs);
  expect(show(run, service.url)).toMatchSnapshot();
});

test('a dry run with nothing but a file', async () => {
  const inputs = { 'base-url': '', 'scan-key': '', token: '', 'dry-run': 'true' };
  const run = await runAction(await makeWorkspace(), inputs);
  expect(show(run, 'http://none')).toMatchSnapshot();
});
