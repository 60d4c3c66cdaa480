import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeWorkspace, readResults, runAction, TOKEN } from '../support/run-action.ts';
import { SBOM, MIB, REPORT, sha256 } from '../support/samples.ts';
import { openService } from '../support/service.ts';

describe('a two-file upload', () => {
  test('sends SBOM and report, chosen by content, in any order, and reports them', async () => {
    const service = await openService({ token: TOKEN });
    const workspace = await makeWorkspace({ 'a.json': SBOM, 'z/report.json': REPORT });
    const run = await runAction(workspace, {
      'base-url': service.url,
      files: 'z/report.json\na.json',
    });
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
  test.each([0, 40 * MIB])('%i bytes arrive unchanged', async (size) => {
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
