import { randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import type { LocalService, TlsMaterial } from '../../local/service/index.ts';
import type { StepOptions, StepRun } from '../../local/step/index.ts';
import { listOutputTexts, makeWorkspace, runAction, TOKEN } from '../support/run-action.ts';
import { openService } from '../support/servers.ts';
import { MIB, REPORT, sha256 } from '../support/workspace.ts';

/** The contents of scan files. The large one does not compress. */
export const SMALL = REPORT;
export const LARGE = `{"SchemaVersion":2,"Results":["${randomBytes(4 * MIB).toString('hex')}"]}`;

/** The local service behind nginx and squid: requires the token, and has no size limit. */
export function openUpstream(tls?: TlsMaterial): Promise<LocalService> {
  return openService({ token: TOKEN, maxBodyBytes: Infinity, ...(tls !== undefined && { tls }) });
}

/** Checks that the upload was accepted by one attempt, and that the service got it alone, with every byte. */
export function expectKept(service: LocalService, content: string, run: StepRun): void {
  expect(run.outputs.uploaded).toBe('true');
  expect(service.requests).toHaveLength(1);
  expect(service.uploads.map(({ parts }) => parts)).toMatchObject([
    [{ name: 'ScanJsonFile', filename: 'scan.json', sha256: sha256(content) }],
  ]);
}

/** Options of a run, and the secrets that it must not show. */
interface PeerOptions extends Partial<StepOptions> {
  /** Further secrets; of a PEM key, no line may appear. */
  readonly secrets?: readonly string[];
}

/**
 * Runs the committed action once on `scan.json`, without retries unless the inputs set them, and checks what must
 * hold for every peer: the action ended by itself, succeeded only if the scan was accepted, and showed no secret.
 */
export async function runOnce(
  content: string,
  inputs: Readonly<Record<string, string>>,
  { secrets = [], ...options }: PeerOptions = {},
): Promise<StepRun> {
  const workspace = await makeWorkspace({ 'scan.json': content });
  const run = await runAction(workspace, { retries: '0', ...inputs }, options);
  expect(run.timedOut).toBe(false);
  expect(run.outputs.uploaded).toBe(String(run.outputs.result === 'accepted'));
  expect(run.exitCode).toBe(run.outputs.uploaded === 'true' ? 0 : 1);
  const lines = [TOKEN, ...secrets].flatMap((secret) => secret.trim().split('\n'));
  const hidden = lines.filter((line) => !line.startsWith('-----'));
  const shown = run.stdout.split('\n').filter((line) => !line.startsWith('::add-mask::'));
  const texts = [...shown, run.stderr, run.summary, ...listOutputTexts(run)];
  expect(texts.filter((text) => hidden.some((line) => text.includes(line)))).toEqual([]);
  return run;
}
