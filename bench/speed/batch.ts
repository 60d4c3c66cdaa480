import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runScript, sendByStep } from './contenders.ts';
import type { Sending } from './contenders.ts';
import { OURS } from './goals.ts';
import type { Contender } from './line.ts';
import type { Scans } from './scans.ts';
import { prepareStep } from './step.ts';
import type { PreparedStep } from './step.ts';
import { runWhole } from './whole-process.ts';
import type { Command } from './whole-process.ts';

/** Many scans, and where they are sent over TLS. */
export interface Batch extends Omit<Sending, 'path'> {
  readonly ca: string;
  readonly scans: Scans;
}

/** How many uploads run in parallel, here and in curl. */
export const MAX_PARALLEL = 16;

/** A step that uploads all scans, ready to run once. */
export function prepareBatch(
  { stage, service, ca, scans }: Batch,
  maxParallel: number,
  script?: string,
): Promise<PreparedStep> {
  const inputs = {
    'base-url': service.url,
    'ca-cert': ca,
    'scan-key': '',
    scans: scans.list,
    'max-parallel': String(maxParallel),
  };
  return prepareStep(join(stage.folder, 'runner'), stage.workspace, inputs, script);
}

/** All scans in one step of this action. */
export function sendBatchByStep(
  batch: Batch,
  name = OURS,
  maxParallel = MAX_PARALLEL,
  script?: string,
): Contender {
  const run = async (): Promise<number> => {
    const step = await prepareBatch(batch, maxParallel, script);
    return runBatch(batch, step, async ({ command }) => (await runWhole(command)).ms);
  };
  return { name, isOurs: true, run };
}

/** Runs a prepared step in the way of `measure`; its figure counts if all scans were uploaded. */
export async function runBatch(
  batch: Batch,
  step: PreparedStep,
  measure: (step: PreparedStep) => Promise<number>,
): Promise<number> {
  const figure = await measure(step);
  if ((await step.readOutputs()).get('uploaded') !== 'true') {
    throw new Error('The step did not upload.');
  }
  await checkAllArrived(batch);
  return figure;
}

/** What a step for each scan would take: the time of one, with the next scan each time, times all. */
export function sendOneByOne(batch: Batch, repeats: number): Contender {
  const { entries } = batch.scans;
  let next = 0;
  const run = async (): Promise<number> => {
    const { path = '' } = entries[next % entries.length] ?? {};
    next += 1;
    return (await sendByStep({ ...batch, path }).run()) * entries.length;
  };
  return { name: 'scaled singles', run, repeats };
}

/** One `curl --parallel` for all, told by a configuration file. */
export function sendBatchByCurl(batch: Batch): Contender {
  const config = join(batch.stage.folder, `${batch.scans.list}.curl`);
  writeFileSync(config, formatConfig(batch));
  const flags = ['-q', '--silent', '--parallel', '--parallel-max', String(MAX_PARALLEL)];
  return sendBatchBy('curl', batch, { file: 'curl', args: [...flags, '--config', config] });
}

/** The least that Node can do, without a digest. */
export function sendBatchByFloor(batch: Batch): Contender {
  const { stage, service, scans, ca } = batch;
  const list = join(stage.folder, `${scans.list}.tsv`);
  writeFileSync(list, scans.entries.map(({ key, path }) => `${key}\t${path}`).join('\n'));
  const args = [service.url, list, ca, String(MAX_PARALLEL)];
  return sendBatchBy('floor', batch, runScript('floor-batch.cjs', args));
}

function sendBatchBy(
  name: string,
  batch: Batch,
  program: Pick<Command, 'file' | 'args'>,
): Contender {
  const run = async (): Promise<number> => {
    const { command } = await prepareBatch(batch, MAX_PARALLEL);
    const { ms } = await runWhole({ ...command, ...program });
    await checkAllArrived(batch);
    return ms;
  };
  return { name, run };
}

/** A section for each scan; `next` forgets all that was said of the one before. */
function formatConfig({ service, ca, scans }: Batch): string {
  const sections = scans.entries.map(({ key, path }) =>
    [
      `url = "${service.url}"`,
      `cacert = "${ca}"`,
      `form = "ScanKey=${key}"`,
      `form = "ScanJsonFile=@${path}"`,
      'fail',
      'silent',
      'show-error',
    ].join('\n'),
  );
  return `${sections.join('\nnext\n')}\n`;
}

/** A figure counts only if every scan came once and whole, each with its own key. */
export async function checkAllArrived({ service, scans }: Batch): Promise<void> {
  const { uploads, keys, bytes } = await service.takeTally();
  const count = scans.entries.length;
  if (uploads !== count || keys !== count) {
    throw new Error(`${uploads} uploads with ${keys} different keys came of ${count}`);
  }
  if (bytes < scans.bytes) throw new Error(`${bytes} bytes came of ${scans.bytes}`);
}
