import { describe, expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { makeWorkspace, readResults, TOKEN } from '../support/run-action.ts';
import { SBOM, REPORT, makeKey, sha256 } from '../support/samples.ts';
import { openService } from '../support/service.ts';
import { runBatch } from './batch.ts';

const KEYS = [makeKey(1), makeKey(2), makeKey(3)];
const [FIRST = '', SECOND = '', THIRD = ''] = KEYS;

const FILES = {
  'billing/report.json': REPORT,
  'shop/bom.json': SBOM,
  'shop/report.json': '{"a":1}',
  'web/one.json': '{"b":2}',
};

const SCANS = [
  { name: 'billing', 'scan-key': FIRST, 'scan-file': 'billing/report.json' },
  {
    name: 'shop',
    'scan-key': SECOND,
    'dependencies-file': 'shop/bom.json',
    'vulnerabilities-file': 'shop/report.json',
  },
  { 'scan-key': THIRD, files: ['web/*.json', '!web/two.json'] },
];

/** The titles of the error annotations. */
function listErrors(run: StepRun): readonly string[] {
  return run.annotations.filter(({ level }) => level === 'error').map(({ title = '' }) => title);
}

describe('several scans', () => {
  test('are all uploaded byte for byte, each under its key, and reported one by one', async () => {
    const service = await openService({ token: TOKEN });
    const run = await runBatch(await makeWorkspace(FILES), service.url, SCANS);
    const message = expect.stringContaining('a wildcard of `files` chose it');
    expect(run.annotations).toMatchObject([{ level: 'warning', message }]);
    expect(run.exitCode).toBe(0);
    const kept = new Map(service.uploads.map((upload) => [upload.scanKey, upload]));
    const digests = KEYS.map((key) => kept.get(key)?.parts.map((part) => [part.name, part.sha256]));
    expect(digests).toEqual([
      [['ScanJsonFile', sha256(REPORT)]],
      [
        ['DependenciesCDX', sha256(SBOM)],
        ['VulnerabilitiesTool', sha256('{"a":1}')],
      ],
      [['ScanJsonFile', sha256('{"b":2}')]],
    ]);
    const results = readResults(run);
    expect(results).toMatchObject([
      { name: 'billing', scanKey: FIRST, uploaded: true, operation: 'upload-file' },
      { name: 'shop', scanKey: SECOND, operation: 'upload-multiple-files' },
      { name: null, scanKey: THIRD, result: 'accepted', statusCode: 200, attempts: 1 },
    ]);
    expect(results.map(({ manifest }) => manifest.length)).toEqual([1, 2, 1]);
  });
});

describe('several scans, some of which are wrong or use the same file', () => {
  test('are reported together, and nothing is sent', async () => {
    const service = await openService({ token: TOKEN });
    const scans = [
      { name: 'good', 'scan-key': FIRST, 'scan-file': 'billing/report.json' },
      { name: 'file', 'scan-key': SECOND, 'scan-file': 'billing/none.json' },
      { 'scan-key': THIRD, 'scan-file': 'broken.json' },
    ];
    const workspace = await makeWorkspace({ ...FILES, 'broken.json': '{"a":' });
    const run = await runBatch(workspace, service.url, scans);
    expect(service.requests).toHaveLength(0);
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'not-sent' });
    expect(listErrors(run)).toEqual([
      'Scan upload not sent (files) [file]',
      'Scan upload not sent (contents) [scans[2]]',
      'Scan upload not sent (other scans) [good]',
    ]);
    const rows = run.summary.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.map((row) => row.split(' | ')[0])).toEqual([
      '| `file`',
      '| `scans[2]`',
      '| `good`',
    ]);
    expect(run.outputs.error).toMatch(/^file: .* \(1 more of 3 scans failed\)$/);
    expect(readResults(run).map(({ reason }) => reason)).toEqual([
      'other-scans',
      'files',
      'contents',
    ]);
    expect(run.outputs.reason).toBe('files');
  });
});
