import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { OURS } from './goals.ts';
import type { Contender } from './line.ts';
import type { Service } from './service.ts';
import type { Stage } from './stage.ts';
import { prepareStep, SCAN_KEY } from './step.ts';
import type { PreparedStep } from './step.ts';
import { runWhole } from './whole-process.ts';
import type { Command } from './whole-process.ts';

/** What is sent where. */
export interface Sending {
  readonly stage: Stage;
  readonly service: Service;
  /** In the stage's workspace. */
  readonly path: string;
  /** Certificates that the client is to trust. */
  readonly ca?: string;
}

/** What a measured process starts with, whatever it is: the environment of a step. */
export function prepare(
  { stage, service, path, ca }: Sending,
  script?: string,
): Promise<PreparedStep> {
  const inputs = { 'base-url': service.url, 'scan-file': relative(stage.workspace, path) };
  const trust = ca === undefined ? {} : { 'ca-cert': ca };
  const folder = join(stage.folder, 'runner');
  return prepareStep(folder, stage.workspace, { ...inputs, ...trust }, script);
}

/** This action's step. */
export function sendByStep(sending: Sending): Contender {
  return { name: OURS, isOurs: true, run: () => runStep(sending) };
}

/** The usual way, in the same step. */
export function sendByPeer(sending: Sending, isOnce = false, skipped?: string): Contender {
  const run = async (): Promise<number> => runStep(sending, await sending.stage.peer());
  return { name: 'peer', run, isOnce, skipped };
}

/** `curl -F`, which fails where the upload is not accepted. */
export function sendByCurl(sending: Sending, name = 'curl'): Contender {
  return sendBy(name, sending, { file: 'curl', args: listCurlArgs(sending) });
}

function listCurlArgs({ service, path, ca }: Sending): readonly string[] {
  const trust = ca === undefined ? [] : ['--cacert', ca];
  const form = ['-F', `ScanKey=${SCAN_KEY}`, '-F', `ScanJsonFile=@${path}`];
  return ['-sS', '--fail', ...trust, ...form, service.url];
}

/** What a workflow without this action runs for an upload and its digest. */
export const SEND_THEN_DIGEST = 'curl; sha256sum';

/** `curl -F`, then `sha256sum` of the file. */
export function sendByCurlThenDigest(sending: Sending): Contender {
  const args = ['-c', 'curl "$@" && sha256sum "$0"', sending.path, ...listCurlArgs(sending)];
  return sendBy(SEND_THEN_DIGEST, sending, { file: 'sh', args });
}

/** form-data in its default chunks. */
export function sendByFormData(sending: Sending): Contender {
  const { service, path, ca } = sending;
  const args = [service.url, SCAN_KEY, path, ...(ca === undefined ? [] : [ca])];
  return sendBy('form-data', sending, runScript('form-data.cjs', args));
}

/** The least that Node can do. */
export function sendByFloor(sending: Sending): Contender {
  const args = [sending.service.url, sending.path];
  return sendBy('floor', sending, runScript('floor.cjs', args));
}

/** A script of others/. */
export function runScript(name: string, args: readonly string[]): Pick<Command, 'file' | 'args'> {
  const script = join(import.meta.dirname, 'others', name);
  return { file: process.execPath, args: [script, ...args] };
}

function sendBy(
  name: string,
  sending: Sending,
  program: Pick<Command, 'file' | 'args'>,
): Contender {
  const run = async (): Promise<number> => {
    const { command } = await prepare(sending);
    const { ms } = await runWhole({ ...command, ...program });
    await checkArrived(sending);
    return ms;
  };
  return { name, run };
}

async function runStep(sending: Sending, script?: string): Promise<number> {
  const { command, readOutputs } = await prepare(sending, script);
  const { ms } = await runWhole(command);
  if ((await readOutputs()).get('uploaded') !== 'true') throw new Error('The step did not upload.');
  await checkArrived(sending);
  return ms;
}

/** A figure counts only if the whole file came. */
export async function checkArrived({ service, path }: Sending): Promise<void> {
  const { bytes } = await service.takeTally();
  const { size } = statSync(path);
  if (bytes < size) throw new Error(`${bytes} bytes came of ${size}`);
}
