import { createServer } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import type { StepOptions, StepRun } from '../../local/step/index.ts';
import { makeMeter } from '../faults/support/usage.ts';
import { describeLinux } from '../support/files.ts';
import { listen } from '../support/raw-server.ts';
import { makeWorkspace, readResults, runAction, TOKEN } from '../support/run-action.ts';
import { KIB, REPORT, SBOM, makeKey, sha256 } from '../support/samples.ts';
import { openService } from '../support/service.ts';

const KEYS = [makeKey(1), makeKey(2), makeKey(3)];
const [FIRST = '', SECOND = '', THIRD = ''] = KEYS;

/** Runs the action with `scans`. */
async function runBatch(
  workspace: string,
  url: string,
  scans: readonly object[],
  inputs: Readonly<Record<string, string>> = {},
  options: Partial<StepOptions> = {},
): Promise<StepRun> {
  const named = { 'base-url': url, 'scan-key': '', 'scan-file': '', scans: JSON.stringify(scans) };
  return runAction(workspace, { ...named, ...inputs }, options);
}

describe('several scans', () => {
  const FILES = {
    'billing/report.json': REPORT,
    'shop/bom.json': SBOM,
    'shop/report.json': '{"a":1}',
    'web/one.json': '{"b":2}',
  };
  const SHOP = {
    'dependencies-file': 'shop/bom.json',
    'vulnerabilities-file': 'shop/report.json',
  };

  test('are all uploaded byte for byte, each under its key, and reported one by one', async () => {
    const service = await openService({ token: TOKEN });
    const run = await runBatch(await makeWorkspace(FILES), service.url, [
      { name: 'billing', 'scan-key': FIRST, 'scan-file': 'billing/report.json' },
      { name: 'shop', 'scan-key': SECOND, ...SHOP },
      { 'scan-key': THIRD, files: ['web/*.json', '!web/two.json'] },
    ]);
    const message = expect.stringContaining('`files` does not name it');
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
    expect(readResults(run)).toMatchObject([
      { name: 'billing', scanKey: FIRST, uploaded: true, operation: 'upload-file' },
      { name: 'shop', scanKey: SECOND, operation: 'upload-multiple-files' },
      { name: null, scanKey: THIRD, result: 'accepted', statusCode: 200, attempts: 1 },
    ]);
  });

  test('of which some are wrong are reported together, and nothing is sent', async () => {
    const service = await openService({ token: TOKEN });
    const workspace = await makeWorkspace({ ...FILES, 'broken.json': '{"a":' });
    const run = await runBatch(workspace, service.url, [
      { name: 'good', 'scan-key': FIRST, 'scan-file': 'billing/report.json' },
      { name: 'file', 'scan-key': SECOND, 'scan-file': 'billing/none.json' },
      { 'scan-key': THIRD, 'scan-file': 'broken.json' },
    ]);
    expect(service.requests).toHaveLength(0);
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'not-sent', reason: 'files' });
    expect(run.outputs.error).toMatch(/^file: .* \(1 more of 3 scans failed\)$/);
    expect(run.annotations.map(({ title }) => title)).toEqual([
      'Scan upload not sent (files) [file]',
      'Scan upload not sent (contents) [scans[2]]',
      'Scan upload not sent (other scans) [good]',
    ]);
    const reasons = readResults(run).map(({ reason }) => reason);
    expect(reasons).toEqual(['other-scans', 'files', 'contents']);
  });
});

/** Has the largest number of files that the process has open written to its standard error at its end. */
const COUNT_FILES = `
  import { readdirSync } from 'node:fs';
  import promises from 'node:fs/promises';
  const { open } = promises;
  let most = 0;
  promises.open = async (...args) => {
    const handle = await open(...args);
    most = Math.max(most, readdirSync('/proc/self/fd').length);
    return handle;
  };
  process.once('exit', () => process.stderr.write(String(most)));`;

describeLinux('many scans', () => {
  test('are uploaded with fewer than 64 files open, and keep of refusals the texts only', async () => {
    const files = Array.from({ length: 60 }, (_, index) => `${index}.json`);
    const lists = Array.from({ length: 21_000 }, () => '[]').join();
    let requests = 0;
    const server = createServer((request, response) => {
      requests += 1;
      const refuse = () => response.writeHead(400).end(`{"title":"x","a":[${lists}]}`);
      request.resume().once('end', refuse);
    });
    const url = `http://127.0.0.1:${await listen(server)}`;
    const meter = await makeMeter(COUNT_FILES);
    const workspace = await makeWorkspace(Object.fromEntries(files.map((name) => [name, REPORT])));
    const scans = files.map((name, index) => ({ 'scan-key': makeKey(index), 'scan-file': name }));
    const inputs = { retries: '0', 'max-parallel': '8' };
    const run = await runBatch(workspace, url, scans, inputs, { env: meter.env });
    expect(run.outputs).toMatchObject({ result: 'rejected', reason: 'problem' });
    expect(requests).toBe(60);
    // Eight files, eight connections, and about twenty files that Node itself opens.
    expect(Number(run.stderr)).toBeGreaterThan(8);
    expect(Number(run.stderr)).toBeLessThan(64);
    // The objects of the refusals would take 240 MiB.
    expect(meter.read().peakKiB).toBeLessThan(280 * KIB);
  });
});
