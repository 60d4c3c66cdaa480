import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import type { LocalService, TlsMaterial } from '../../local/service/index.ts';
import type { StepOptions, StepRun } from '../../local/step/index.ts';
import { listOutputTexts } from '../support/results.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { REPORT, sha256 } from '../support/samples.ts';
import { openService } from '../support/service.ts';

/** A scan file, `scan.json` in its workspace. */
interface Scan {
  readonly content: string;
  readonly sha256: string;
}

const scans = new Map<number, Scan>();

/** The small report if `bytes` is 0, else a JSON file of that size that does not compress. */
export function makeScan(bytes: number): Scan {
  const known = scans.get(bytes);
  if (known !== undefined) return known;
  const content = bytes === 0 ? REPORT : writeScan(bytes);
  const scan = { content, sha256: sha256(content) };
  scans.set(bytes, scan);
  return scan;
}

function writeScan(bytes: number): string {
  const [head, tail] = ['{"SchemaVersion":2,"Results":["', '"]}'];
  const length = bytes - head.length - tail.length;
  const text = randomBytes(length).toString('hex').slice(0, length);
  return `${head}${text}${tail}`;
}

/** The local service behind nginx and squid: requires the token, and has no size limit. */
export function openUpstream(tls?: TlsMaterial): Promise<LocalService> {
  return openService({ token: TOKEN, maxBodyBytes: Infinity, ...(tls !== undefined && { tls }) });
}

/** Checks that the upload was accepted, and that the service kept it alone, with every byte. */
export function expectKept(service: LocalService, scan: Scan, run: StepRun): void {
  expect(run.outputs.uploaded).toBe('true');
  expect(service.uploads).toHaveLength(1);
  const [part] = service.uploads[0]?.parts ?? [];
  expect(part).toMatchObject({ name: 'ScanJsonFile', filename: 'scan.json', sha256: scan.sha256 });
  expect(sha256(readFileSync(part?.path ?? ''))).toBe(scan.sha256);
}

/** Options of a run, and the secrets that it must not show. */
interface PeerOptions extends Partial<StepOptions> {
  /** Further secrets; of a PEM key, no line may appear. */
  readonly secrets?: readonly string[];
}

/**
 * Runs the committed action once on `scan.json`, without retries unless the inputs set them, and checks what must
 * hold for every peer: the action ended by itself, succeeded only if the scan was accepted, showed
 * no secret, and wrote no command that the runner does not know.
 */
export async function runOnce(
  scan: Scan,
  inputs: Readonly<Record<string, string>>,
  { secrets = [], ...options }: PeerOptions = {},
): Promise<StepRun> {
  const workspace = await makeWorkspace({ 'scan.json': scan.content });
  const run = await runAction(workspace, { retries: '0', ...inputs }, options);
  expect(run.timedOut).toBe(false);
  expect(run.outputs.uploaded).toBe(String(run.outputs.result === 'accepted'));
  expect(run.exitCode).toBe(run.outputs.uploaded === 'true' ? 0 : 1);
  expect(run.commands.filter(({ command }) => command === 'unknown')).toEqual([]);
  expectNoSecret(run, [TOKEN, ...secrets.flatMap(listLines)]);
  return run;
}

function listLines(secret: string): readonly string[] {
  return secret.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));
}

function expectNoSecret(run: StepRun, secrets: readonly string[]): void {
  const shown = run.stdout.split('\n').filter((line) => !line.startsWith('::add-mask::'));
  const texts = [...shown, run.stderr, run.summary, ...listOutputTexts(run)];
  const leaks = texts.filter((text) => secrets.some((secret) => text.includes(secret)));
  expect(leaks).toEqual([]);
}
