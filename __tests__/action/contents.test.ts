import { describe, expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { openServer } from '../support/raw-server.ts';
import { SBOM } from '../support/samples.ts';
import { openService } from '../support/service.ts';

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

type Files = Readonly<Record<string, string | Uint8Array>>;
type Inputs = Readonly<Record<string, string>>;

const PAIR = { 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'report.json' };

function truncate(text: string, part: number): Buffer {
  const bytes = Buffer.from(text);
  return bytes.subarray(0, Math.floor(bytes.length * part));
}

/** A text without its last byte; the final line break does not count, because no format needs it. */
function dropLast(text: string): Buffer {
  return Buffer.from(text.trimEnd()).subarray(0, -1);
}

/** The message about a file that is truncated after these bytes. */
function end(bytes: Uint8Array): RegExp {
  return new RegExp(`is truncated: .* at byte ${bytes.length}\\.`);
}

/** Runs the action against a server that counts its connections. */
async function runUnmet(files: Files, inputs: Inputs): Promise<StepRun & { met: number }> {
  const server = await openServer(({ socket }) => socket.destroy());
  const run = await runAction(await makeWorkspace(files), { 'base-url': server.origin, ...inputs });
  return { ...run, met: server.connections() };
}

describe('content-check: error', () => {
  test.each<[string, Files, Inputs, RegExp]>([
    [
      'a truncated report',
      { 'scan.json': truncate(GRYPE, 0.5) },
      { 'scan-file': 'scan.json' },
      end(truncate(GRYPE, 0.5)),
    ],
    [
      'an SBOM without its last byte',
      { 'bom.xml': dropLast(BOM_XML), 'report.json': GRYPE },
      { 'dependencies-file': 'bom.xml', 'vulnerabilities-file': 'report.json' },
      end(dropLast(BOM_XML)),
    ],
    ['an empty report', { 'bom.json': SBOM, 'report.json': '' }, PAIR, /is empty \(0 bytes\)/],
    [
      'a web page in place of a report',
      { 'bom.json': SBOM, 'report.json': PAGE },
      PAIR,
      /is a web page \(HTML\), although its name ends in \.json/,
    ],
    [
      'an SBOM and a report that are swapped',
      { 'bom.json': GRYPE, 'report.json': SBOM },
      PAIR,
      /DependenciesCDX 'bom\.json' is a report \(Grype: 2 findings\).*: they are swapped\.(?:\nSwap `dependencies-file` and `vulnerabilities-file`\.)?$/,
    ],
    [
      'one file in both roles',
      { 'bom.json': SBOM },
      { ...PAIR, 'vulnerabilities-file': './bom.json' },
      /are the same file\.(?:\nGive each part a file of its own\.)?$/,
    ],
  ])('refuses %s before connecting', async (_, files, inputs, message) => {
    const run = await runUnmet(files, { ...inputs, 'content-check': 'error' });
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'not-sent', attempts: '0' });
    expect(run.annotations).toHaveLength(1);
    expect(run.annotations[0]).toMatchObject({ level: 'error' });
    expect(run.annotations[0]?.message).toMatch(message);
    // Without the fix.
    expect(run.outputs.error).toMatch(message);
    expect(run.met).toBe(0);
  });

  test('logs what every file was recognised as, before the problems', async () => {
    const run = await runUnmet({ 'bom.json': SBOM, 'report.json': PAGE }, PAIR);
    expect(run.exitCode).toBe(1);
    expect(run.log).toContain("DependenciesCDX 'bom.json': 111 bytes, CycloneDX 1.6, 1 component");
    expect(run.log).toContain("VulnerabilitiesTool 'report.json': ");
    expect(run.log).not.toContain('Operation: ');
  });

  test.each<[string, Files, Inputs]>([
    ['a byte order mark', { 'scan.json': `\ufeff${GRYPE}` }, { 'scan-file': 'scan.json' }],
    [
      'a CycloneDX document with vulnerabilities as the report',
      {
        'bom.json': SBOM,
        'report.json': SBOM.replace('}]', '}],"vulnerabilities":[{}]'),
      },
      PAIR,
    ],
    [
      'an HTML report whose name ends in .html',
      { 'bom.json': SBOM, 'report.html': PAGE },
      { ...PAIR, 'vulnerabilities-file': 'report.html' },
    ],
    ['a stream of JSON', { 'bom.json': SBOM, 'report.json': '{"a":1}\n{"b":2}\n' }, PAIR],
    [
      'text that only begins like JSON',
      { 'bom.json': SBOM, report: '[CRITICAL] shop: no limits\n' },
      { ...PAIR, 'vulnerabilities-file': 'report' },
    ],
  ])('accepts %s', async (_, files, inputs) => {
    const service = await openService({ token: TOKEN });
    const run = await runAction(await makeWorkspace(files), { 'base-url': service.url, ...inputs });
    expect(run.outputs.uploaded).toBe('true');
    expect(run.annotations).toEqual([]);
  });

  test.each<[string, string]>([
    ['{}\n\x1e{}\n{}', 'is 3 JSON documents one after the other: the service may expect'],
    [`${GRYPE}${GRYPE}`, 'is 2 JSON documents one after the other, several of them Grype: '],
  ])('warns about %j, and sends it', async (text, message) => {
    const run = await runUnmet({ 'scan.json': text }, { retries: '0' });
    expect(run.met).toBe(1);
    expect(run.annotations[0]).toMatchObject({ level: 'warning' });
    expect(run.annotations[0]?.message).toContain(message);
  });
});

describe('file inspection', () => {
  test('reports formats, tools and counts in the manifest and the log', async () => {
    const service = await openService({ token: TOKEN });
    const files = { 'bom.xml': BOM_XML, 'report.json': GRYPE };
    const run = await runAction(await makeWorkspace(files), {
      'base-url': service.url,
      files: '*.xml\n*.json',
    });
    const none = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
    const manifest: unknown = JSON.parse(run.outputs.manifest ?? '');
    expect(manifest).toEqual([
      {
        part: 'DependenciesCDX',
        path: 'bom.xml',
        bytes: Buffer.byteLength(BOM_XML),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        format: 'cyclonedx',
        specVersion: '1.5',
        tool: 'cdxgen 11.0.0',
        components: 2,
        vulnerabilities: null,
        findings: null,
        severities: null,
        inspected: 'full',
        warnings: [],
      },
      {
        part: 'VulnerabilitiesTool',
        path: 'report.json',
        bytes: Buffer.byteLength(GRYPE),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        format: 'grype',
        specVersion: null,
        tool: 'grype 0.100.0',
        components: null,
        vulnerabilities: null,
        findings: 2,
        severities: { ...none, critical: 1, none: 1 },
        inspected: 'full',
        warnings: [],
      },
    ]);
    expect(run.log).toContain('CycloneDX 1.5, by cdxgen 11.0.0, 2 components\n');
    expect(run.log).toContain('Grype, by grype 0.100.0, 2 findings');
  });

  test('recognises a file over 32 MiB by its first MiB, without counting its findings', async () => {
    const limit = 32 * 1024 * 1024;
    const service = await openService({ token: TOKEN, maxBodyBytes: 2 * limit });
    const padded = GRYPE.replace(/\}\n$/, `,"padding":"${'x'.repeat(limit)}"}\n`);
    const run = await runAction(await makeWorkspace({ 'scan.json': padded }), {
      'base-url': service.url,
    });
    expect(run.outputs.uploaded).toBe('true');
    const manifest: unknown = JSON.parse(run.outputs.manifest ?? '');
    const counts = { findings: null, severities: null };
    expect(manifest).toMatchObject([
      { format: 'grype', tool: 'grype 0.100.0', inspected: 'partial', ...counts },
    ]);
    expect(run.log).toContain('Grype, by grype 0.100.0, not read to its end');
  });

  test('refuses a truncated file over 32 MiB', async () => {
    const padding = Buffer.alloc(32 * 1024 * 1024, ' ');
    const truncated = Buffer.concat([Buffer.from('{"matches":['), padding, Buffer.from('{}]\n')]);
    const run = await runUnmet({ 'scan.json': truncated }, { 'scan-file': 'scan.json' });
    expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'not-sent' });
    expect(run.annotations[0]?.message).toMatch(end(truncated));
    expect(run.met).toBe(0);
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
    for (const text of [run.stdout, run.outputs.manifest, run.summary]) {
      expect(text?.replace(`::add-mask::${TOKEN}`, '')).not.toContain(TOKEN);
    }
    expect(run.log).not.toContain('\u001b[31m');
  });
});
