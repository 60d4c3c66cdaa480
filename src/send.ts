import { settleWithin } from './abort.ts';
import { StepError } from './errors.ts';
import { closeFiles, reopenScanFile } from './files/open.ts';
import type { Inputs } from './inputs/inputs.ts';
import type { StepLimits } from './lifecycle.ts';
import { mapParallel } from './parallel.ts';
import type { PreparedScan, ReadyScan } from './prepare.ts';
import { explainError, explainUpload } from './report/failure.ts';
import type { Failure } from './report/failure.ts';
import type { Log } from './report/log.ts';
import { narrateOperation, narratePhase, narrateUpload } from './report/narrate.ts';
import type { ScanResult } from './report/scan-result.ts';
import { formatBytes } from './report/units.ts';
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
import type { UploadSettings } from './service/settings.ts';
import { upload } from './service/upload.ts';
import type { SharedState } from './service/upload.ts';
import { writeBody } from './service/write-body.ts';
import type { Situation } from './situations.ts';

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
  const ready = scans.filter((scan) => !('result' in scan)).length;
  const limit = Math.min(inputs.maxParallel, ready);
  const sender = new ScanSender(inputs, limits, log);
  const origin = log.clean(inputs.baseUrl.origin);
  const title = inputs.dryRun
    ? `Reading the files of ${ready} scans (dry run)`
    : `Sending ${ready} scans to ${origin}, up to ${limit} in parallel`;
  return narratePhase({ title, scans: ready, done: 'finished' }, log, async (advance) =>
    mapParallel(scans, Math.max(limit, 1), async (scan) => {
      if ('result' in scan) return scan;
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
  async send(scan: ReadyScan): Promise<ScanResult> {
    const { label } = scan.entry;
    const start = performance.now();
    const sent = await this.#try(scan, this.#log.named(label));
    const { failure, upload: tried } = sent;
    const lack = tried?.situation && CREDENTIAL_LACKS[tried.situation];
    if (lack !== undefined) this.#stopOthers(`${lack} (${label ?? 'the scan'})`);
    if (failure !== undefined && label !== undefined && this.#inputs.failFast) {
      this.#stopOthers(`${label} failed, and \`fail-fast\` is true`);
    }
    return tried === undefined ? sent : { ...sent, durationMs: performance.now() - start };
  }

  async #try(scan: ReadyScan, log: Log): Promise<ScanResult> {
    try {
      await this.#shared.schedule.wait(0, this.#limits.signal);
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

  #stopOthers(cause: string): void {
    this.#shared.schedule.stop(new StepError('other-scans', `Not sent: ${cause}.`));
  }

  async #sendFiles(scan: ReadyScan, log: Log): Promise<ScanResult> {
    const { signal } = this.#limits;
    const parts: FilePart[] = [];
    try {
      for (const { part, file } of scan.plan.parts) {
        const open = await settleWithin(reopenScanFile(file), signal);
        parts.push({ part: part.name, file: open });
      }
      const body = frameBody(parts, scan.entry.scanKey);
      const settings = this.#gatherSettings(scan.plan, body);
      narrateOperation(scan.plan, settings, log);
      return await (this.#inputs.dryRun
        ? this.#rehearse(scan, body, log)
        : this.#upload(scan, body, settings, log));
    } finally {
      const closing = closeFiles(parts.map(({ file }) => file));
      // Files were only read, and the result is final: ignore errors while closing them.
      await settleWithin(closing, signal).catch(() => {});
    }
  }

  #gatherSettings(plan: UploadPlan, body: Body): UploadSettings {
    const { baseUrl, credential, proxy, tls, retries } = this.#inputs;
    const { clean } = this.#log;
    const isSecure = baseUrl.protocol === 'https:';
    return {
      origin: clean(baseUrl.origin),
      hostname: clean(baseUrl.hostname),
      host: clean(`${baseUrl.hostname}:${baseUrl.port || (isSecure ? 443 : 80)}`),
      address: clean(locateOperation(baseUrl, plan.operation).href),
      basePath: clean(baseUrl.pathname),
      isSecure,
      bodyBytes: body.length,
      files: plan.parts
        .map(({ file }) => `${file.displayPath} (${formatBytes(file.size)})`)
        .join(', '),
      traceId: createTraceId(),
      credentialKind: credential.kind,
      hasOwnCa: tls.ca !== undefined,
      hasClientCertificate: tls.cert !== undefined,
      proxyHost: proxy && clean(proxy.url.host),
      retries,
    };
  }

  async #rehearse(scan: ReadyScan, body: Body, log: Log): Promise<ScanResult> {
    const reading = writeBody(body, async () => {});
    const digests = await settleWithin(reading, this.#limits.signal);
    log.info('Dry run: nothing was sent.');
    return { ...scan, result: 'dry-run', digests };
  }

  async #upload(
    scan: ReadyScan,
    body: Body,
    settings: UploadSettings,
    log: Log,
  ): Promise<ScanResult> {
    const { baseUrl, credential, headers, stallMs } = this.#inputs;
    const url = locateOperation(baseUrl, scan.plan.operation);
    const ended = await upload(
      { url, body, credential, headers, stallMs, settings },
      this.#shared,
      {
        ...narrateUpload(settings, log),
        fetchIdToken: this.#fetchIdToken,
        clean: log.clean,
        random: Math.random,
      },
      this.#limits.signal,
    );
    const { result, digests } = ended;
    const failure = explainUpload(ended);
    if (failure === undefined) log.info(`The service accepted ${settings.files}.`);
    return { ...scan, upload: ended, result, digests, failure };
  }
}
