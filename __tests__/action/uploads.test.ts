import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readResults } from '../support/results.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { SBOM, MIB, REPORT, SCAN_KEY, sha256 } from '../support/samples.ts';
import { openService } from '../support/service.ts';
import { findLines } from '../support/report.ts';

describe('a single upload', () => {
  test('reaches the service byte for byte and is reported', async () => {
    const service = await openService({ token: TOKEN });
    const workspace = await makeWorkspace({ 'reports/trivy.json': REPORT });
    const run = await runAction(workspace, {
      'base-url': service.url,
      'scan-file': 'reports/*.json',
    });
    const [upload] = service.uploads;
    expect(upload).toMatchObject({ operation: 'upload-file', scanKey: SCAN_KEY });
    expect(upload?.parts).toMatchObject([
      {
        name: 'ScanJsonFile',
        filename: 'trivy.json',
        contentType: 'application/octet-stream',
        sha256: sha256(REPORT),
      },
    ]);
    expect(readFileSync(upload?.parts[0]?.path ?? '', 'utf8')).toBe(REPORT);
    expect(run.annotations).toEqual([]);
    expect(run.exitCode).toBe(0);
    expect(run.outputs).toEqual({
      uploaded: 'true',
      result: 'accepted',
      reason: '',
      'status-code': '200',
      error: '',
      'problem-details': '',
      'results-path': expect.stringMatching(/results\.json$/),
    });
    const entry = { uploaded: true, operation: 'upload-file', statusCode: 200, attempts: 1 };
    expect(readResults(run)).toMatchObject([entry]);
    expect(readResults(run)[0]?.manifest).toEqual([
      {
        part: 'ScanJsonFile',
        path: 'reports/trivy.json',
        bytes: REPORT.length,
        sha256: sha256(REPORT),
        modified: expect.stringMatching(/^\d{4}-.*Z$/),
        format: 'trivy',
        inspected: 'full',
        specVersion: '2',
        tool: null,
        components: null,
        vulnerabilities: null,
        findings: 0,
        severities: { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 },
        warnings: [],
      },
    ]);
    expect(run.summary.split('\n')[0]).toBe('### ✅ Scan upload accepted (200)');
    const line = `- ScanJsonFile: \`${sha256(REPORT)}\``;
    expect(findLines(run.summary, line)).toHaveLength(1);
    expect(run.masks).toEqual([TOKEN]);
  });
});

describe('a two-file upload', () => {
  test.each([
    ['by input', { 'dependencies-file': 'a.json', 'vulnerabilities-file': 'z/*.json' }],
    ['by content, in any order', { files: 'z/report.json\na.json' }],
  ])('sends SBOM and report, chosen %s', async (_, inputs) => {
    const service = await openService({ token: TOKEN });
    const workspace = await makeWorkspace({ 'a.json': SBOM, 'z/report.json': REPORT });
    const run = await runAction(workspace, { 'base-url': service.url, ...inputs });
    expect(run.outputs.uploaded).toBe('true');
    expect(service.uploads).toMatchObject([{ operation: 'upload-multiple-files' }]);
    expect(service.uploads[0]?.parts).toMatchObject([
      { name: 'DependenciesCDX', filename: 'a.json', sha256: sha256(SBOM) },
      { name: 'VulnerabilitiesTool', filename: 'report.json', sha256: sha256(REPORT) },
    ]);
    expect(readResults(run)[0]?.manifest).toMatchObject([
      { part: 'DependenciesCDX', path: 'a.json', format: 'cyclonedx' },
      { part: 'VulnerabilitiesTool', path: 'z/report.json', format: 'trivy' },
    ]);
  });
});

describe('files of any size', () => {
  const sizes = [0, 100 * MIB];
  test.each(sizes)('%i bytes arrive unchanged', async (size) => {
    const service = await openService({ token: TOKEN, maxBodyBytes: Infinity });
    const content = randomBytes(size);
    const workspace = await makeWorkspace({ 'a.json': SBOM, 'report.bin': content });
    const run = await runAction(workspace, {
      'base-url': service.url,
      'dependencies-file': 'a.json',
      'vulnerabilities-file': 'report.bin',
      'content-check': 'off',
    });
    expect(run.outputs).toMatchObject({ uploaded: 'true' });
    expect(service.requests).toHaveLength(1);
    const received = service.uploads[0]?.parts[1];
    expect(received).toMatchObject({ bytes: size, sha256: sha256(content) });
    expect(readResults(run)[0]?.manifest).toMatchObject([
      { part: 'DependenciesCDX' },
      { part: 'VulnerabilitiesTool', bytes: size, sha256: sha256(content) },
    ]);
  });
});

describe('files outside the workspace', () => {
  test('are uploaded from the temporary directory with an absolute path', async () => {
    const service = await openService({ token: TOKEN });
    const temp = await makeWorkspace({ 'trivy.json': REPORT });
    const workspace = await makeWorkspace({});
    const inputs = { 'base-url': service.url, 'scan-file': join(temp, 'trivy.json') };
    const run = await runAction(workspace, inputs, { runnerTemp: temp });
    expect(run.outputs.uploaded).toBe('true');
    expect(service.uploads).toHaveLength(1);
  });
});
