import { settleWithin } from './abort.ts';
import { StepError } from './errors.ts';
import { closeFiles, reopenScanFile } from './files/open.ts';
import type { Inputs } from './inputs/inputs.ts';
import type { StepLimits } from './lifecycle.ts';
import { mapParallel } from './parallel.ts';
import type { PreparedScan, ReadyScan } from './prepare.ts';
import { explainError } from './report/failure.ts';
import type { Failure } from './report/failure.ts';
import type { Log } from './report/log.ts';
import { narrateOperation, narratePhase } from './report/narrate.ts';
import type { ScanResult } from './report/scan-result.ts';
import { frameBody } from './service/body.ts';
import type { FilePart } from './service/body.ts';
import { Schedule } from './service/schedule.ts';
import { writeBody } from './service/write-body.ts';
import type { Situation } from './situations.ts';
import { ScanUploader } from './upload-scan.ts';

/** Situations in which no other scan would be accepted either, since all of them use the same credential. */
const CREDENTIAL_LACKS: Readonly<Partial<Record<Situation, string>>> = {
  'oidc-permission': 'the job may not request an OIDC token',
  'credential-rejected': 'the service rejected the credential',
};

/**
 * Sends the scans that are ready, or with `dry-run` only reads them, up to `max-parallel` in parallel.
 * Returns the results of all scans in their order.
 */
export async function sendScans(
  scans: readonly PreparedScan[],
  inputs: Inputs,
  limits: StepLimits,
  log: Log,
): Promise<readonly ScanResult[]> {
  const ready = scans.filter(({ kind }) => kind === 'ready').length;
  const limit = Math.min(inputs.maxParallel, ready);
  const sender = new ScanSender(inputs, limits, log);
  const title = inputs.dryRun
    ? `Reading the files of ${ready} scans (dry run)`
    : `Sending ${ready} scans to ${log.clean(inputs.baseUrl?.origin ?? '')}, up to ${limit} in parallel`;
  return narratePhase({ title, scans: ready, done: 'finished' }, log, async (advance) =>
    mapParallel(scans, Math.max(limit, 1), async ({ kind, scan }) => {
      if (kind === 'ended') return scan;
      const result = await sender.send(scan);
      advance();
      return result;
    }),
  );
}

/** Sends scans. One scan may delay the others, or keep them from being started. */
class ScanSender {
  readonly #inputs: Inputs;
  readonly #limits: StepLimits;
  readonly #schedule: Schedule;
  readonly #log: Log;
  /** Undefined in a dry run, which only reads the files. */
  readonly #uploader: ScanUploader | undefined;
  /** Failures by their error: an error that ends several scans gives one failure, so that it is reported once. */
  readonly #failures = new Map<unknown, Failure>();

  constructor(inputs: Inputs, limits: StepLimits, log: Log) {
    this.#inputs = inputs;
    this.#limits = limits;
    this.#schedule = new Schedule(limits.deadline);
    this.#log = log;
    if (!inputs.dryRun) this.#uploader = new ScanUploader(inputs, limits, this.#schedule, log);
  }

  /** Sends one scan; never rejects. */
  async send(scan: ReadyScan): Promise<ScanResult> {
    const { label } = scan.entry;
    const start = performance.now();
    const sent = await this.#try(scan, this.#log.named(label));
    const { upload: tried } = sent;
    const lack = tried?.situation && CREDENTIAL_LACKS[tried.situation];
    if (lack !== undefined) {
      const text = `Not sent: ${lack} (${label ?? 'the scan'}).`;
      this.#schedule.stop(new StepError('other-scans', text));
    }
    return tried === undefined ? sent : { ...sent, durationMs: performance.now() - start };
  }

  async #try(scan: ReadyScan, log: Log): Promise<ScanResult> {
    try {
      await this.#schedule.wait(0, this.#limits.signal);
      return await this.#sendFiles(scan, log);
    } catch (error) {
      return { ...scan, result: 'not-sent', failure: this.#describeOnce(error) };
    }
  }

  #describeOnce(error: unknown): Failure {
    const failure = this.#failures.get(error) ?? explainError(error, this.#log.clean);
    this.#failures.set(error, failure);
    return failure;
  }

  async #sendFiles(scan: ReadyScan, log: Log): Promise<ScanResult> {
    const { signal } = this.#limits;
    const parts: FilePart[] = [];
    try {
      for (const { part, file } of scan.plan.parts) {
        const open = await settleWithin(reopenScanFile(file), signal);
        parts.push({ part: part.name, file: open });
      }
      narrateOperation(scan.plan, this.#inputs, log);
      return await (this.#uploader?.upload(scan, parts, log) ?? this.#rehearse(scan, parts, log));
    } finally {
      const closing = closeFiles(parts.map(({ file }) => file));
      // Files were only read, and the result is final: ignore errors while closing them.
      await settleWithin(closing, signal).catch(() => {});
    }
  }

  async #rehearse(scan: ReadyScan, parts: readonly FilePart[], log: Log): Promise<ScanResult> {
    const reading = writeBody(frameBody(parts, ''), async () => {});
    const digests = await settleWithin(reading, this.#limits.signal);
    log.info('Dry run: nothing was sent.');
    return { ...scan, result: 'dry-run', digests };
  }
}
