import { expect, test } from '@jest/globals';
import { readResults, readResultsText } from '../support/results.ts';
import { TOKEN, makeWorkspace } from '../support/run-action.ts';
import { REPORT, SBOM, makeKey, sha256 } from '../support/samples.ts';
import { findViolation } from '../support/schemas.ts';
import { openService } from '../support/service.ts';
import { makeEntries, runBatch } from './batch.ts';

test('results-path has operation, attempts, files and problem of each scan, as its schema says', async () => {
  const service = await openService({
    token: TOKEN,
    scanKeys: [makeKey(0)],
    responses: [{ cut: 0 }],
  });
  const pair = { 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'scan.json' };
  const [one] = makeEntries(1, 'scan.json');
  const scans = [{ ...one }, { 'scan-key': makeKey(1), ...pair }];
  const workspace = await makeWorkspace({ 'scan.json': REPORT, 'bom.json': SBOM });
  const run = await runBatch(workspace, service.url, scans, { 'max-parallel': '1' });
  const report = { path: 'scan.json', bytes: REPORT.length, sha256: sha256(REPORT) };
  expect(readResults(run)).toMatchObject([
    {
      name: 'scan 0',
      result: 'accepted',
      operation: 'upload-file',
      attempts: 2,
      manifest: [{ part: 'ScanJsonFile', ...report }],
      problemDetails: null,
    },
    {
      name: null,
      result: 'rejected',
      operation: 'upload-multiple-files',
      attempts: 1,
      manifest: [
        { part: 'DependenciesCDX', path: 'bom.json' },
        { part: 'VulnerabilitiesTool', ...report },
      ],
      problemDetails: { status: 400, detail: run.outputs.error?.replace('scans[1]: ', '') },
    },
  ]);
  expect(findViolation('results', JSON.parse(readResultsText(run)))).toBeUndefined();
  expect(service.requests).toHaveLength(3);
});
