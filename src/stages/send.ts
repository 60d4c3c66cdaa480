import { settleWithin } from '../abort.ts';
import { StepError } from '../errors.ts';
import { closeFiles, reopenScanFile } from '../files/open.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { keepResult } from '../results/keep.ts';
import type { StepLimits } from '../lifecycle.ts';
import type { PreparedScan, ReadyScan } from './prepare.ts';
import { explainError } from '../results/failure.ts';
import type { Log } from '../report/log.ts';
import { narrateOperation, runPhase } from '../report/narrate.ts';
import type { ScanResult } from '../results/scan-result.ts';
import { frameBody } from '../service/body.ts';
import type { FilePart } from '../service/body.ts';
import { Schedule } from '../upload/schedule.ts';
import type { SharedState } from '../upload/upload.ts';
import { writeBody } from '../service/write-body.ts';
import { getRow } from '../outcomes/situations.ts';
import { makeShared, uploadScan } from './upload-scan.ts';

/** What the scans of a step share. One scan may delay the others, or keep them from being started. */
interface Sending {
  readonly inputs: Inputs;
  readonly schedule: Schedule;
  readonly signal: AbortSignal;
  /** Undefined in a dry run, which only reads the files. */
  readonly shared: SharedState | undefined;
}

/**
 * Sends the scans that are ready, or with `dry-run` only reads them, up to `max-parallel` in parallel.
 * Returns the results of all scans in their order.
 */
export async function sendScans(
  scans: readonly PreparedScan[],
  inputs: Inputs,
  { deadline, signal }: StepLimits,
  log: Log,
): Promise<readonly ScanResult[]> {
  const ready = scans.filter(({ kind }) => kind === 'ready').length;
  const limit = Math.min(inputs.maxParallel, ready);
  const schedule = new Schedule(deadline);
  const shared = inputs.dryRun ? undefined : makeShared(inputs, schedule, signal, log);
  const sending = { inputs, schedule, signal, shared };
  const title = inputs.dryRun
    ? `Reading the files of ${ready} scans (dry run)`
    : `Sending ${ready} scans to ${inputs.baseUrl?.origin ?? ''}, up to ${limit} in parallel`;
  return runPhase({ title, scans: ready, done: 'finished' }, log, async (advance) => {
    const results: ScanResult[] = [];
    const queue = scans.entries();
    const kept = { problemBytes: 0 };
    const sendInTurn = async (): Promise<void> => {
      for (const [index, { kind, scan }] of queue) {
        results[index] =
          kind === 'ended' ? scan : keepResult(await sendScan(scan, sending, log), kept);
        if (kind === 'ready') advance();
      }
    };
    await Promise.all(Array.from({ length: Math.max(limit, 1) }, sendInTurn));
    return results;
  });
}

/** Sends one scan; never rejects. */
async function sendScan(scan: ReadyScan, sending: Sending, log: Log): Promise<ScanResult> {
  const { schedule, signal } = sending;
  const { label } = scan.entry;
  try {
    await schedule.wait(0, signal);
    const [start, startedAt] = [performance.now(), Date.now()];
    const sent = await sendFiles(scan, sending, log.named(label));
    const { upload } = sent;
    if (upload === undefined) return sent;
    const cause = upload.situation && getRow(upload.situation).stopsOthers;
    if (cause !== undefined) {
      const text = `Not tried, because ${cause} of ${label ?? 'another scan'}.`;
      schedule.stop(new StepError('other-scans', text, []));
    }
    return { ...sent, startedAt, durationMs: performance.now() - start };
  } catch (error) {
    return { ...scan, result: 'not-sent', failure: explainError(error) };
  }
}

async function sendFiles(
  scan: ReadyScan,
  { inputs, shared, signal }: Sending,
  log: Log,
): Promise<ScanResult> {
  const parts: FilePart[] = [];
  try {
    for (const { part, file } of scan.plan.parts) {
      const open = await settleWithin(reopenScanFile(file), signal);
      parts.push({ part: part.name, file: open });
    }
    narrateOperation(scan.plan, inputs, log);
    if (shared !== undefined) return await uploadScan(scan, parts, inputs, shared, log);
    const reading = writeBody(frameBody(parts, ''), async () => {});
    const digests = await settleWithin(reading, signal);
    log.info('Dry run: nothing was sent.');
    return { ...scan, result: 'dry-run', digests };
  } finally {
    const closing = closeFiles(parts.map(({ file }) => file));
    // Files were only read, and the result is final: ignore errors while closing them.
    await settleWithin(closing, signal).catch(() => {});
  }
}
