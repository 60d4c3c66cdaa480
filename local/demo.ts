// Runs the committed action against the local service, and shows what is in the log of a workflow.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from './service/index.ts';
import { runStep } from './step/index.ts';

const ACTION = join(import.meta.dirname, '..');
const WORKSPACE = join(import.meta.dirname, 'scans');
const TOKEN = 'local-demo-token';
const SCAN_KEY = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const SHOP_KEY = '8a4d1c52-6b0e-4f3f-9d21-7e5b0c9a1f34';
const UNKNOWN_KEY = 'c56a4180-65aa-42ec-a945-5fd21dec0538';

const SINGLE = { 'scan-key': SCAN_KEY, 'scan-file': 'trivy.json' };
const PAIR = {
  'scan-key': SHOP_KEY,
  'dependencies-file': 'bom.cdx.json',
  'vulnerabilities-file': 'vulnerabilities.json',
};
const UNKNOWN = { 'scan-key': UNKNOWN_KEY, 'scan-file': 'vulnerabilities.json' };
const SCANS = [
  { name: 'billing', ...SINGLE },
  { name: 'shop', ...PAIR },
  { name: 'archive', ...UNKNOWN },
];

/** A step of the demo; `kept` names the files that the service must have received, sorted. */
interface DemoStep {
  readonly heading: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly result: 'accepted' | 'rejected';
  readonly kept: readonly string[];
}

const STEPS: readonly DemoStep[] = [
  { heading: 'One scan file.', inputs: SINGLE, result: 'accepted', kept: ['trivy.json'] },
  {
    heading: 'An SBOM and a vulnerability report.',
    inputs: PAIR,
    result: 'accepted',
    kept: ['bom.cdx.json', 'vulnerabilities.json'],
  },
  {
    heading: 'A scan that the service does not know.',
    inputs: UNKNOWN,
    result: 'rejected',
    kept: [],
  },
  {
    heading: 'Three scans of a monorepo, one of them unknown to the service.',
    inputs: { scans: JSON.stringify(SCANS) },
    result: 'rejected',
    kept: ['bom.cdx.json', 'trivy.json', 'vulnerabilities.json'],
  },
];

const directory = mkdtempSync(join(tmpdir(), 'scan-upload-demo-'));
const service = await startService({ directory, token: TOKEN, scanKeys: [SCAN_KEY, SHOP_KEY] });
try {
  for (const [index, step] of STEPS.entries()) {
    console.log(`${index + 1}. ${step.heading} The result should be: ${step.result}`);
    if (!(await showStep(step))) throw new Error(`Step ${index + 1} did not end as expected.`);
  }
  console.log(`All ${STEPS.length} steps ended as expected.`);
} finally {
  await service.close();
  rmSync(directory, { recursive: true });
}

/** Runs a step and shows its log and its end; returns whether it ended as expected. */
async function showStep({ inputs, result, kept }: DemoStep): Promise<boolean> {
  const before = service.uploads.length;
  const given = { 'base-url': service.url, token: TOKEN, ...inputs };
  const run = await runStep({ action: ACTION, workspace: WORKSPACE, inputs: given });
  const parts = service.uploads.slice(before).flatMap((upload) => upload.parts);
  const received = parts.map(({ filename, sha256 }) => filename + sha256).toSorted();
  const isReceived = String(received) === String(kept.map((name) => name + digest(name)));
  const { result: ended, uploaded } = run.outputs;
  const end = `result=${ended}, uploaded=${uploaded}, exit code ${run.exitCode ?? run.signal}`;
  const bytes = isReceived && kept.length > 0 ? `\nreceived byte for byte: ${kept.join(', ')}` : '';
  console.log(`${run.log.trimEnd()}\n${end}${bytes}`.replace(/^/gm, '   ') + '\n');
  return isReceived && ended === result && run.exitCode === (result === 'accepted' ? 0 : 1);
}

/** The SHA-256 of a file of the workspace, in hexadecimal. */
function digest(name: string): string {
  return createHash('sha256')
    .update(readFileSync(join(WORKSPACE, name)))
    .digest('hex');
}
