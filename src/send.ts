import { settleWithin } from './abort.ts';
import { NotStartedError } from './errors.ts';
import { closeFiles, reopenScanFile } from './files/open.ts';
import type { Inputs } from './inputs/inputs.ts';
import type { StepLimits } from './lifecycle.ts';
import { mapParallel } from './parallel.ts';
import type { PreparedScan, ReadyScan } from './prepare.ts';
import { explainError } from './report/explain-step.ts';
import { explainUpload } from './report/explain-upload.ts';
import type { UploadFacts } from './report/upload-facts.ts';
import type { Log } from './report/log.ts';
import { narrateOperation, narratePhase, narrateUpload } from './report/narrate.ts';
import type { Failure, ScanResult } from './report/result.ts';
import { formatBytes } from './report/units.ts';
import { describeReport, makeScanResult } from './results.ts';
import type { ScanEnd } from './results.ts';
import type { UploadPlan } from './plan/plan.ts';
import { createAgent } from './service/agent.ts';
import { shareBriefly } from './service/auth.ts';
import type { FetchIdToken } from './service/auth.ts';
import { frameBody } from './service/body.ts';
import type { Body, FilePart } from './service/body.ts';
import { makeIdTokenFetcher } from './service/id-token.ts';
import { locateOperation } from './service/operations.ts';
import { createTraceId } from './service/request.ts';
import { Schedule } from './service/schedule.ts';
import { upload } from './service/upload.ts';
import type { SharedState, UploadReport, UploadTools } from './service/upload.ts';
import { writeBody } from './service/write-body.ts';

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
  const ready = scans.filter(({ end }) => end === undefined).length;
  const limit = Math.min(inputs.maxParallel, ready);
  const sender = new ScanSender(inputs, limits, log);
  const origin = log.clean(inputs.baseUrl.origin);
  const title = inputs.dryRun
    ? `Reading the files of ${ready} scans (dry run)`
    : `Sending ${ready} scans to ${origin}, up to ${limit} in parallel`;
  return narratePhase({ title, scans: ready, done: 'finished' }, log, async (advance) =>
    mapParallel(scans, Math.max(limit, 1), async (scan) => {
      if (scan.end !== undefined) return makeScanResult(scan.entry, scan.plan, scan.end);
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
  readonly #shared: SharedState;
  readonly #log: Log;
  readonly #fetchIdToken: FetchIdToken;
  /** Failures by their error: an error that ends several scans gives one failure, so that it is reported once. */
  readonly #failures = new Map<unknown, Failure>();

  constructor(inputs: Inputs, limits: StepLimits, log: Log) {
    this.#inputs = inputs;
    this.#limits = limits;
    this.#shared = {
      agent: createAgent(inputs.baseUrl, inputs.tls, inputs.proxy),
      schedule: new Schedule(limits.deadline),
      mayExpect: true,
    };
    this.#log = log;
    const { credential, tls } = inputs;
    const source = credential.kind === 'oidc' ? credential.source : undefined;
    const fetch = makeIdTokenFetcher(source, tls, (token) => log.protect(token));
    this.#fetchIdToken = shareBriefly(fetch);
  }

  /** Sends one scan; never rejects. */
  async send({ entry, plan }: ReadyScan): Promise<ScanResult> {
    const { label } = entry;
    const log = this.#log.named(label);
    const start = performance.now();
    const end = await this.#end(entry.scanKey, plan, log);
    const durationMs = (end.attempts ?? 0) === 0 ? undefined : performance.now() - start;
    const { failure, lack } = end;
    if (lack !== undefined) this.#stopOthers(`${lack} (${label ?? 'the scan'})`);
    if (failure !== undefined && label !== undefined && this.#inputs.failFast) {
      this.#stopOthers(`${label} failed, and \`fail-fast\` is true`);
    }
    return makeScanResult(entry, plan, { ...end, durationMs });
  }

  async #end(scanKey: string, plan: UploadPlan, log: Log): Promise<SentEnd> {
    try {
      await this.#shared.schedule.wait(0, this.#limits.signal);
      return await this.#sendFiles(scanKey, plan, log);
    } catch (error) {
      return { result: 'not-sent', failure: this.#explainOnce(error) };
    }
  }

  #explainOnce(error: unknown): Failure {
    const failure = this.#failures.get(error) ?? explainError(error, this.#log.clean);
    this.#failures.set(error, failure);
    return failure;
  }

  #stopOthers(cause: string): void {
    this.#shared.schedule.stop(new NotStartedError(`Not sent: ${cause}.`));
  }

  async #sendFiles(scanKey: string, plan: UploadPlan, log: Log): Promise<SentEnd> {
    const { signal } = this.#limits;
    const parts: FilePart[] = [];
    try {
      for (const { part, file } of plan.parts) {
        const open = await settleWithin(reopenScanFile(file), signal);
        parts.push({ part: part.name, file: open });
      }
      const body = frameBody(parts, scanKey);
      const facts = this.#gatherFacts(plan, body);
      narrateOperation(plan, facts, log);
      return await (this.#inputs.dryRun
        ? this.#rehearse(body, log)
        : this.#upload(plan, body, facts, log));
    } finally {
      const closing = closeFiles(parts.map(({ file }) => file));
      // Files were only read, and the result is final: ignore errors while closing them.
      await settleWithin(closing, signal).catch(() => {});
    }
  }

  #gatherFacts(plan: UploadPlan, body: Body): UploadFacts {
    const { baseUrl, credential, proxy, tls } = this.#inputs;
    const { clean } = this.#log;
    return {
      origin: clean(baseUrl.origin),
      hostname: clean(baseUrl.hostname),
      address: clean(locateOperation(baseUrl, plan.operation).href),
      bodyBytes: body.length,
      files: plan.parts
        .map(({ file }) => `${file.displayPath} (${formatBytes(file.size)})`)
        .join(', '),
      traceId: createTraceId(),
      credentialKind: credential.kind,
      hasOwnCa: tls.ca !== undefined,
      proxyHost: proxy && clean(proxy.url.host),
    };
  }

  async #rehearse(body: Body, log: Log): Promise<SentEnd> {
    const reading = writeBody(body, async () => {});
    const digests = await settleWithin(reading, this.#limits.signal);
    log.info('Dry run: nothing was sent.');
    return { result: 'dry-run', digests };
  }

  async #upload(plan: UploadPlan, body: Body, facts: UploadFacts, log: Log): Promise<SentEnd> {
    const { baseUrl, credential, headers, retries, stallMs } = this.#inputs;
    const url = locateOperation(baseUrl, plan.operation);
    const task = { url, body, credential, headers, traceId: facts.traceId, stallMs, retries };
    const tools: UploadTools = {
      ...narrateUpload(facts, retries + 1, log),
      fetchIdToken: this.#fetchIdToken,
      clean: log.clean,
      random: Math.random,
    };
    const report = await upload(task, this.#shared, tools, this.#limits.signal);
    const failure = explainUpload(report, facts, this.#limits.signal.reason);
    if (failure === undefined) log.info(`The service accepted ${facts.files}.`);
    return { ...describeReport(report), failure, lack: findCredentialLack(report) };
  }
}

/** How a scan ended after it was ready to be sent. */
interface SentEnd extends ScanEnd {
  /** What is wrong with the credential, which all scans share; undefined if nothing is. */
  readonly lack?: string | undefined;
}

/** What is wrong with the credential: then no other scan would be accepted either, as all share it. */
function findCredentialLack({ verdict: { cause } }: UploadReport): string | undefined {
  if (cause.kind === 'oidc' && cause.error.isPermission) {
    return 'the job may not request an OIDC token';
  }
  const isRejected = cause.kind === 'refused' && cause.response.status === 401;
  return isRejected ? 'the service rejected the credential' : undefined;
}
