import { describe, expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { openServer } from '../support/raw-server.ts';
import { readResults, readResultsText } from '../support/results.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { SBOM } from '../support/samples.ts';
import { openService } from '../support/service.ts';

// The problems of contents, and their words, are tested in __tests__/formats and __tests__/plan.

/** A Grype report with two findings, indented as Grype writes it. */
const GRYPE = `${JSON.stringify(
  {
    matches: [
      { vulnerability: { id: 'CVE-2026-1', severity: 'Critical' }, artifact: { name: 'left' } },
      {
        vulnerability: { id: 'CVE-2026-2', severity: 'Negligible' },
        artifact: { name: 'räksmörgås' },
      },
    ],
    descriptor: { name: 'grype', version: '0.100.0' },
  },
  undefined,
  1,
)}\n`;

const BOM_XML = `<?xml version="1.0" encoding="UTF-8"?>
<bom xmlns="http://cyclonedx.org/schema/bom/1.5" version="1">
  <metadata><tools><tool><name>cdxgen</name><version>11.0.0</version></tool></tools></metadata>
  <components>
    <component type="library"><name>left</name></component>
    <component type="library"><name>right</name></component>
  </components>
</bom>
`;

const PAGE = '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head></html>\n';
const MAX_PARSED_BYTES = 32 * 1024 * 1024;

/** Runs the action, and expects that it refuses the files before it connects. */
async function expectRefusal(
  files: Readonly<Record<string, string | Uint8Array>>,
  inputs: Readonly<Record<string, string>> = {},
): Promise<StepRun> {
  const server = await openServer(({ socket }) => socket.destroy());
  const run = await runAction(await makeWorkspace(files), { 'base-url': server.origin, ...inputs });
  expect(run.exitCode).toBe(1);
  const ended = { uploaded: 'false', result: 'not-sent', reason: 'contents' };
  expect(run.outputs).toMatchObject(ended);
  expect(run.annotations.map(({ title }) => title)).toEqual(['Scan upload not sent (contents)']);
  expect(server.connections()).toBe(0);
  return run;
}

describe('file inspection', () => {
  test('logs what every file was recognised as, before the problems', async () => {
    const pair = { 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'report.json' };
    const run = await expectRefusal({ 'bom.json': SBOM, 'report.json': PAGE }, pair);
    expect(run.log).toContain("DependenciesCDX 'bom.json': 111 bytes, CycloneDX 1.6, 1 component");
    expect(run.log).toContain("VulnerabilitiesTool 'report.json': ");
    expect(run.log).not.toContain('Operation: ');
  });

  test('reports formats, tools and counts in the results and the log', async () => {
    const service = await openService({ token: TOKEN });
    const files = { 'bom.xml': BOM_XML, 'report.json': GRYPE };
    const run = await runAction(await makeWorkspace(files), {
      'base-url': service.url,
      files: '*.xml\n*.json',
    });
    const none = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
    const unknown = { specVersion: null, components: null, findings: null, severities: null };
    const rest = { ...unknown, vulnerabilities: null, inspected: 'full', warnings: [] };
    expect(readResults(run)[0]?.manifest).toEqual([
      {
        ...rest,
        part: 'DependenciesCDX',
        path: 'bom.xml',
        bytes: Buffer.byteLength(BOM_XML),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        modified: expect.stringMatching(/^\d{4}-.*Z$/),
        format: 'cyclonedx',
        specVersion: '1.5',
        tool: 'cdxgen 11.0.0',
        components: 2,
      },
      {
        ...rest,
        part: 'VulnerabilitiesTool',
        path: 'report.json',
        bytes: Buffer.byteLength(GRYPE),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        modified: expect.stringMatching(/^\d{4}-.*Z$/),
        format: 'grype',
        tool: 'grype 0.100.0',
        findings: 2,
        severities: { ...none, critical: 1, none: 1 },
      },
    ]);
    expect(run.log).toContain(
      'CycloneDX 1.5, by cdxgen 11.0.0, 2 components, no list of vulnerabilities\n',
    );
    expect(run.log).toContain('Grype, by grype 0.100.0, 2 findings');
  });

  test('recognises a file over 32 MiB by its first MiB, without counting its findings', async () => {
    const service = await openService({ token: TOKEN, maxBodyBytes: 2 * MAX_PARSED_BYTES });
    const padding = `,"padding":"${'x'.repeat(MAX_PARSED_BYTES)}"}\n`;
    const files = { 'scan.json': GRYPE.replace(/\}\n$/, padding) };
    const run = await runAction(await makeWorkspace(files), { 'base-url': service.url });
    expect(run.outputs.uploaded).toBe('true');
    const counts = { findings: null, severities: null };
    expect(readResults(run)[0]?.manifest).toMatchObject([
      { format: 'grype', tool: 'grype 0.100.0', inspected: 'partial', ...counts },
    ]);
  });

  test('refuses a truncated file over 32 MiB', async () => {
    const padding = Buffer.alloc(MAX_PARSED_BYTES, ' ');
    const truncated = Buffer.concat([Buffer.from('{"matches":['), padding, Buffer.from('{}]\n')]);
    await expectRefusal({ 'scan.json': truncated });
  });

  test('shows no secret and no runner command from the tool that a file names', async () => {
    const service = await openService({ token: TOKEN });
    const tool = `::error::x\n##[group]${TOKEN}\u001b[31m`;
    const bom = JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: `1.6${TOKEN}`,
      metadata: { tools: [{ name: tool }] },
      components: [{}],
    });
    const run = await runAction(await makeWorkspace({ 'scan.json': bom }), {
      'base-url': service.url,
    });
    expect(run.outputs.uploaded).toBe('true');
    expect(run.annotations).toEqual([]);
    for (const text of [run.stdout, readResultsText(run), run.summary]) {
      expect(text.replace(`::add-mask::${TOKEN}`, '')).not.toContain(TOKEN);
    }
    expect(run.log).not.toContain('\u001b[31m');
  });
});

describe('content-check', () => {
  const pair = { 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'report.json' };
  const files = { 'bom.json': SBOM.slice(0, -2), 'report.json': '' };

  test('error refuses a truncated and an empty file', async () => {
    await expectRefusal(files, pair);
  });

  test.each([
    ['warn', 2],
    ['off', 0],
  ])('%s uploads a truncated and an empty file with %i warnings', async (strictness, count) => {
    const service = await openService({ token: TOKEN });
    const inputs = { 'base-url': service.url, 'content-check': strictness, ...pair };
    const run = await runAction(await makeWorkspace(files), inputs);
    expect(run.outputs.uploaded).toBe('true');
    expect(service.uploads).toHaveLength(1);
    expect(run.annotations.map(({ level }) => level)).toEqual(Array(count).fill('warning'));
  });
});
