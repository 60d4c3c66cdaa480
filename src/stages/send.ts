import { StepError } from '../errors.ts';
import { closeFiles, reopenScanFile } from '../files/open.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { settleWithin } from '../lifecycle.ts';
import type { StepLimits } from '../lifecycle.ts';
import { spellError } from '../outcomes/failure.ts';
import { findStop } from '../outcomes/situations.ts';
import { createAgent } from '../service/agent.ts';
import { makeAuthenticate } from '../service/auth.ts';
import { frameBody, writeBody } from '../service/body.ts';
import type { FilePart } from '../service/body.ts';
import { locateOperation } from '../service/operations.ts';
import { createTraceId } from '../service/request.ts';
import { Schedule } from '../upload/schedule.ts';
import { Standing } from '../upload/standing.ts';
import { upload } from '../upload/upload.ts';
import type { SharedState, UploadEvents } from '../upload/upload.ts';
import type { PreparedScan, ReadyScan, ScanResult } from './scan-result.ts';

/** How many bytes the problems of all scans of a step have together at most, since each is kept in memory. */
const MAX_ALL_PROBLEMS_BYTES = 8 * 1024 * 1024;

/** What happens while scans are sent, for the log. */
export interface SendEvents {
  /** Called with each OIDC token before it is used. */
  readonly onToken: (token: string) => void;
  /** Called with a scan whose files are open, and the bytes of its request's body; 0 in a dry run. */
  readonly onStart: (scan: ReadyScan, bodyBytes: number) => UploadEvents;
  /** Called with each scan that was ready, when it has ended. */
  readonly onEnd: (scan: ScanResult) => void;
}

/** What the scans of a step share. One scan may delay the others, or keep them from being started. */
interface Sending {
  readonly inputs: Inputs;
  readonly signal: AbortSignal;
  readonly events: SendEvents;
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
  limits: StepLimits,
  events: SendEvents,
): Promise<readonly ScanResult[]> {
  const { signal } = limits;
  const shared = inputs.dryRun ? undefined : makeShared(inputs, limits, events);
  const sending = { inputs, signal, events, shared };
  const results: ScanResult[] = [];
  const queue = scans.entries();
  let problemBytes = 0;
  const sendInTurn = async (): Promise<void> => {
    for (const [index, scan] of queue) {
      const ended = scan.result === 'ready' ? await sendScan(scan, sending) : scan;
      problemBytes += Buffer.byteLength(ended.problem ?? '');
      const isKept = problemBytes <= MAX_ALL_PROBLEMS_BYTES;
      results[index] = isKept ? ended : { ...ended, problem: undefined };
      if (scan.result === 'ready') reportEnd(ended, events);
    }
  };
  await Promise.all(Array.from({ length: inputs.maxParallel }, sendInTurn));
  return results;
}

/** An error in what is said of a scan does not change what became of it, nor of the others. */
function reportEnd(scan: ScanResult, { onEnd }: SendEvents): void {
  try {
    onEnd(scan);
  } catch {
    // The outputs and the summary say it.
  }
}

function makeShared(
  { baseUrl, credential, proxy, stallMs, tls }: Inputs,
  limits: StepLimits,
  { onToken }: SendEvents,
): SharedState {
  return {
    agent: createAgent(requireInput(baseUrl), tls, proxy),
    schedule: new Schedule(limits),
    standing: new Standing(),
    authenticate: makeAuthenticate(credential, tls, stallMs, limits.signal, onToken),
  };
}

/** Sends one scan, or in a dry run reads it; never rejects. */
async function sendScan(scan: ReadyScan, sending: Sending): Promise<ScanResult> {
  const { events, shared, signal } = sending;
  const parts: FilePart[] = [];
  try {
    await shared?.schedule.wait(0);
    for (const { part, file } of scan.plan.parts) {
      const open = await settleWithin(reopenScanFile(file), signal);
      parts.push({ part: part.name, file: open });
    }
    if (shared !== undefined) return await uploadScan(scan, parts, sending, shared);
    events.onStart(scan, 0);
    const reading = writeBody(frameBody(parts, ''), async () => signal.throwIfAborted());
    return { ...scan, result: 'dry-run', digests: await settleWithin(reading, signal) };
  } catch (error) {
    return { ...scan, result: 'not-sent', failure: spellError(error) };
  } finally {
    const closing = closeFiles(parts.map(({ file }) => file));
    // Files were only read, and the result is final: ignore errors while closing them.
    await settleWithin(closing, signal).catch(() => {});
  }
}

async function uploadScan(
  scan: ReadyScan,
  parts: readonly FilePart[],
  { inputs, events }: Sending,
  shared: SharedState,
): Promise<ScanResult> {
  const { entry, plan } = scan;
  const [start, startedAt] = [performance.now(), Date.now()];
  const url = locateOperation(requireInput(inputs.baseUrl), plan.operation);
  const scanKey = requireInput(entry.scanKey);
  const body = frameBody(parts, scanKey);
  const task = { url, plan, scanKey, body, traceId: createTraceId(), inputs };
  const sent = await upload(task, shared, events.onStart(scan, body.length));
  const label = entry.label ?? 'another scan';
  const stopsOthers = sent.failure && findStop(sent.failure.situation);
  if (sent.result === 'accepted') shared.standing.accept(label);
  if (stopsOthers !== undefined && shared.standing.reject()) {
    const text = `Not tried, because ${stopsOthers} of ${label}.`;
    shared.schedule.stop(new StepError('other-scans', text, []));
  }
  return { ...scan, ...sent, startedAt, durationMs: performance.now() - start };
}

/** An input that only a dry run may lack. */
function requireInput<T>(value: T | undefined): T {
  if (value !== undefined) return value;
  throw new TypeError('The upload lacks an input that only a dry run may lack.');
}
