import { closeFiles, reopenScanFile } from '../files/open.ts';
import type { OpenFile } from '../files/open.ts';
import type { UploadInputs } from '../inputs/inputs.ts';
import { settleWithin } from '../lifecycle.ts';
import type { StepLimits } from '../lifecycle.ts';
import { endNotSent } from '../outcomes/scan-result.ts';
import type { PlannedScan, ScanResult } from '../outcomes/scan-result.ts';
import type { UploadTask } from '../outcomes/task.ts';
import { createAgent } from '../service/agent.ts';
import { makeAuthenticate } from '../service/auth.ts';
import { frameBody } from '../service/body.ts';
import { locateOperation } from '../service/operations.ts';
import type { Part } from '../service/operations.ts';
import { createTraceId } from '../service/request.ts';
import { Schedule } from '../upload/schedule.ts';
import { Standing } from '../upload/standing.ts';
import { uploadScan } from '../upload/upload-scan.ts';
import type { SharedState, UploadEvents } from '../upload/upload-scan.ts';

/**
 * How many bytes of what responses say are kept for all scans of a step together. They stay in memory until its end, and
 * secrets are removed from them then.
 */
const MAX_ALL_KEPT_BYTES = 1024 * 1024;
/** What is not kept beyond: the log has said it, or it is only in the file of results. */
const DROPPED = { says: undefined, problem: undefined, response: undefined };

/** What happens while scans are uploaded, for the log. */
export interface StepEvents {
  /** Called with a scan whose files are open, and the bytes of its request's body. */
  readonly onStart: (scan: PlannedScan, bodyBytes: number) => UploadEvents;
  /** Called with each scan whose upload has ended. */
  readonly onEnd: (scan: ScanResult) => void;
}

/**
 * Uploads the planned scans, up to `max-parallel` in parallel. Returns the results of all scans in their order.
 * One scan may delay the others, or keep them from being started.
 */
export async function uploadScans(
  scans: readonly (PlannedScan | ScanResult)[],
  inputs: UploadInputs,
  limits: StepLimits,
  events: StepEvents,
): Promise<readonly ScanResult[]> {
  const { baseUrl, credential, proxy, stallMs, tls } = inputs;
  const shared: SharedState = {
    agent: createAgent(baseUrl, tls, proxy),
    schedule: new Schedule(limits),
    standing: new Standing(),
    authenticate: makeAuthenticate(credential, tls, stallMs, limits.signal),
  };
  const results: ScanResult[] = [];
  const queue = scans.entries();
  let keptBytes = 0;
  const work = async (): Promise<void> => {
    for (const [index, scan] of queue) {
      const isPlanned = !('result' in scan);
      const ended = isPlanned ? await openAndUpload(scan, inputs, shared, events) : scan;
      const { failure, warnings, says, problem, response } = ended;
      // A part of a text would keep the whole response in memory. These are copies.
      const kept = structuredClone({ failure, warnings, says, problem, response });
      keptBytes += Buffer.byteLength(JSON.stringify(kept));
      results[index] = { ...ended, ...kept, ...(keptBytes > MAX_ALL_KEPT_BYTES && DROPPED) };
      if (isPlanned) reportEnd(ended, events);
    }
  };
  await Promise.all(Array.from({ length: inputs.maxParallel }, work));
  return results;
}

/** Logs the end of a scan. An error in the log changes neither its result nor those of other scans. */
function reportEnd(scan: ScanResult, { onEnd }: StepEvents): void {
  try {
    onEnd(scan);
  } catch {
    // The outputs and the summary show the result, too.
  }
}

/** Opens the files of a scan, uploads them and closes them. Never rejects. */
async function openAndUpload(
  scan: PlannedScan,
  inputs: UploadInputs,
  shared: SharedState,
  events: StepEvents,
): Promise<ScanResult> {
  const { signal } = shared.schedule;
  const files = new Map<Part['name'], OpenFile>();
  try {
    await shared.schedule.waitForStart();
    for (const { part, file } of scan.plan.parts) {
      files.set(part.name, await settleWithin(reopenScanFile(file), signal));
    }
    const [start, startedAt] = [performance.now(), Date.now()];
    const task = makeTask(scan, files, inputs);
    const sent = await uploadScan(task, shared, events.onStart(scan, task.body.length));
    return { ...scan, ...sent, startedAt, durationMs: performance.now() - start };
  } catch (error) {
    return endNotSent(scan.entry, scan.plan, error);
  } finally {
    const closing = closeFiles([...files.values()]);
    // The files were only read and the result is known, so that an error of closing them does not matter.
    await settleWithin(closing, signal).catch(() => {});
  }
}

function makeTask(
  { entry, plan }: PlannedScan,
  files: ReadonlyMap<Part['name'], OpenFile>,
  inputs: UploadInputs,
): UploadTask {
  const { label = 'another scan', scanKey } = entry;
  return {
    label,
    url: locateOperation(inputs.baseUrl, plan.operation),
    plan,
    scanKey,
    body: frameBody(files, scanKey),
    requestTraceId: createTraceId(),
    inputs,
  };
}
