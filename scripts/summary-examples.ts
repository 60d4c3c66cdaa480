// Runs two steps for their job summaries: one is accepted, one is refused.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../local/service/index.ts';
import type { ScriptedResponse } from '../local/service/index.ts';
import { runStep } from '../local/step/index.ts';

const ACTION = join(import.meta.dirname, '..');
const TOKEN = 'example-token';
const INPUTS = {
  'scan-key': '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  token: TOKEN,
  'dependencies-file': 'bom.cdx.json',
  'vulnerabilities-file': 'reports/grype.json',
};

const SBOM = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  metadata: { tools: { components: [{ name: 'syft', version: '1.38.0' }] } },
  components: Array.from({ length: 1204 }, (_, index) => ({
    type: 'library',
    name: `library-${index}`,
    version: '1.0.0',
    purl: `pkg:npm/library-${index}@1.0.0`,
  })),
};

const SEVERITIES = { Critical: 3, High: 18, Medium: 31, Low: 11, Negligible: 6, Unknown: 3 };
const REPORT = {
  matches: Object.entries(SEVERITIES).flatMap(([severity, count]) =>
    Array.from({ length: count }, (_, index) => ({
      vulnerability: { id: `GHSA-${severity}-${index}`, severity },
      artifact: { name: `library-${index}`, version: '1.0.0' },
    })),
  ),
  descriptor: { name: 'grype', version: '0.104.1' },
};

const REFUSAL: ScriptedResponse = {
  status: 401,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    title: 'Unauthorized',
    status: 401,
    detail: 'The token expired at 2026-11-02T00:00:00Z.',
  }),
};

/** The job summaries of the two steps, as markdown. */
export async function runExamples(): Promise<{ accepted: string; refused: string }> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'scan-upload-picture-')));
  try {
    const workspace = join(directory, 'workspace');
    await mkdir(join(workspace, 'reports'), { recursive: true });
    await writeFile(join(workspace, 'bom.cdx.json'), JSON.stringify(SBOM));
    await writeFile(join(workspace, 'reports', 'grype.json'), JSON.stringify(REPORT));
    return {
      accepted: await summarise(directory, workspace),
      refused: await summarise(directory, workspace, REFUSAL),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function summarise(
  parent: string,
  workspace: string,
  ...responses: readonly ScriptedResponse[]
): Promise<string> {
  const directory = join(parent, 'received');
  const service = await startService({ directory, token: TOKEN, responses });
  try {
    const inputs = { 'base-url': service.url, ...INPUTS };
    return (await runStep({ action: ACTION, workspace, inputs, timeoutMs: 60_000 })).summary;
  } finally {
    await service.close();
  }
}
