import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFailures, type Outcome } from './demo/check.ts';
import { compareUploads } from './demo/compare.ts';
import { KNOWN_KEYS, makeScenarios, SCAN_FILES, type Scenario } from './demo/scenarios.ts';
import { showScenario } from './demo/show.ts';
import { startService, type LocalService } from './service/index.ts';
import { runStep } from './step/index.ts';

const ACTION = join(import.meta.dirname, '..');
const TOKEN = 'local-demo-token';
const STEP_TIMEOUT_MS = 60_000;

const missing = ['action.yml', 'dist/index.js'].filter((name) => !existsSync(join(ACTION, name)));
if (missing.length > 0) {
  console.error(`missing: ${missing.join(', ')}; "npm run build" makes dist/`);
  process.exitCode = 1;
} else {
  process.exitCode = await runDemo();
}

/** Runs every scenario in a temporary workspace; returns the exit code. */
async function runDemo(): Promise<number> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'scan-upload-demo-')));
  try {
    const workspace = await fillWorkspace(folder);
    const service = await startService({
      folder: join(folder, 'received'),
      token: TOKEN,
      scanKeys: KNOWN_KEYS,
    });
    try {
      return await runScenarios(service, workspace);
    } finally {
      await service.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fillWorkspace(folder: string): Promise<string> {
  const workspace = join(folder, 'workspace');
  await mkdir(workspace);
  const scans = join(import.meta.dirname, 'scans');
  await Promise.all(SCAN_FILES.map((name) => copyFile(join(scans, name), join(workspace, name))));
  return workspace;
}

async function runScenarios(service: LocalService, workspace: string): Promise<number> {
  const failures: string[] = [];
  for (const scenario of makeScenarios()) {
    const outcome = await runScenario(service, workspace, scenario);
    console.log(showScenario(scenario, service.url, outcome));
    const found = findFailures(scenario, outcome);
    failures.push(...found.map((failure) => `${scenario.heading}: ${failure}`));
  }
  if (failures.length === 0) {
    console.log(`All ${makeScenarios().length} steps did what they should.`);
    return 0;
  }
  failures.forEach((failure) => console.error(`FAILED ${failure}`));
  return 1;
}

async function runScenario(
  service: LocalService,
  workspace: string,
  scenario: Scenario,
): Promise<Outcome> {
  const before = service.uploads.length;
  const run = await runStep({
    action: ACTION,
    workspace,
    inputs: { 'base-url': service.url, ...scenario.inputs, token: TOKEN },
    timeoutMs: STEP_TIMEOUT_MS,
  });
  const kept = service.uploads.slice(before);
  const parts = await compareUploads(workspace, scenario.uploads, kept);
  return { run, parts, newUploads: kept.length };
}
