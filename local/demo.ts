// Runs the committed action against the local service, and shows what a workflow would see.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from './service/index.ts';
import { formatBlock, formatOutputs } from './show-block.ts';
import { runStep } from './step/index.ts';

const ACTION = join(import.meta.dirname, '..');
const WORKSPACE = join(import.meta.dirname, 'scans');
const TOKEN = 'local-demo-token';
const SCAN_KEY = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const SHOP_KEY = '8a4d1c52-6b0e-4f3f-9d21-7e5b0c9a1f34';
const UNKNOWN_KEY = 'c56a4180-65aa-42ec-a945-5fd21dec0538';

const SINGLE = { 'scan-file': 'trivy.json' };
const PAIR = {
  'dependencies-file': 'bom.cdx.json',
  'vulnerabilities-file': 'vulnerabilities.json',
};

/** A monorepo's scans: one file, two files, and one that the service does not know. */
const MONOREPO = [
  { name: 'billing', 'scan-key': SCAN_KEY, ...SINGLE },
  { name: 'shop', 'scan-key': SHOP_KEY, ...PAIR },
  { name: 'archive', 'scan-key': UNKNOWN_KEY, 'scan-file': 'vulnerabilities.json' },
];

/** A step of the demo; `kept` names the files that the service must have received, sorted. */
interface Scenario {
  readonly heading: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly result: 'accepted' | 'rejected';
  readonly kept: readonly string[];
}

const STEPS: readonly Scenario[] = [
  {
    heading: 'One scan file',
    inputs: { 'scan-key': SCAN_KEY, ...SINGLE },
    result: 'accepted',
    kept: ['trivy.json'],
  },
  {
    heading: 'An SBOM and a vulnerability report',
    inputs: { 'scan-key': SCAN_KEY, ...PAIR },
    result: 'accepted',
    kept: ['bom.cdx.json', 'vulnerabilities.json'],
  },
  {
    heading: 'A scan the service does not know',
    inputs: { 'scan-key': UNKNOWN_KEY, ...SINGLE },
    result: 'rejected',
    kept: [],
  },
  {
    heading: 'Three scans of a monorepo, one of them unknown to the service',
    inputs: { scans: JSON.stringify(MONOREPO, undefined, 2) },
    result: 'rejected',
    kept: ['bom.cdx.json', 'trivy.json', 'vulnerabilities.json'],
  },
];

const directory = mkdtempSync(join(tmpdir(), 'scan-upload-demo-'));
const service = await startService({ directory, token: TOKEN, scanKeys: [SCAN_KEY, SHOP_KEY] });
try {
  const failed: string[] = [];
  for (const step of STEPS) if (!(await runScenario(step))) failed.push(step.heading);
  if (failed.length === 0) console.log(`All ${STEPS.length} steps ended as expected.`);
  else throw new Error(`Not as expected: ${failed.join('; ')}`);
} finally {
  await service.close();
  rmSync(directory, { recursive: true });
}

/** Runs and shows a step; returns whether it ended as expected. */
async function runScenario({ heading, inputs, result, kept }: Scenario): Promise<boolean> {
  const before = service.uploads.length;
  const given = { 'base-url': service.url, ...inputs };
  const step = { action: ACTION, workspace: WORKSPACE, inputs: { ...given, token: TOKEN } };
  const run = await runStep(step);
  const parts = service.uploads.slice(before).flatMap((upload) => upload.parts);
  const digests = parts.map(({ name, filename, path }) => {
    const sent = digest(join(WORKSPACE, filename));
    return `${name} (${filename})\n  sent     ${sent}\n  received ${digest(path)}\n`;
  });
  const blocks = [
    formatBlock('Step:', formatStep({ ...given, token: '${{ secrets.SCAN_UPLOAD_TOKEN }}' })),
    formatBlock('Log:', run.log),
    formatBlock('Outputs:', formatOutputs(run.outputs)),
    formatBlock('Summary:', run.summary),
    formatBlock('Exit code:', String(run.exitCode ?? run.signal)),
    formatBlock('Sent and received:', digests.join('')),
  ];
  console.log([`${heading}\n${'='.repeat(heading.length)}\n`, ...blocks].join('\n'));
  const received = parts.map(({ filename, path }) => filename + digest(path)).toSorted();
  const expected = kept.map((name) => name + digest(join(WORKSPACE, name)));
  const isExpected = run.exitCode === (result === 'accepted' ? 0 : 1);
  return isExpected && run.outputs['result'] === result && String(received) === String(expected);
}

function digest(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

function formatStep(inputs: Readonly<Record<string, string>>): string {
  const lines = Object.entries(inputs).map(([name, value]) => {
    const isBlock = value.includes('\n');
    return `    ${name}: ${isBlock ? `|\n${value.replace(/^/gm, '      ')}` : value}`;
  });
  return ['- uses: ./', '  id: upload', '  with:', ...lines].join('\n');
}
