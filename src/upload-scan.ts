import type { Inputs } from './inputs/inputs.ts';
import type { StepLimits } from './lifecycle.ts';
import type { UploadPlan } from './plan/plan.ts';
import type { ReadyScan } from './prepare.ts';
import { joinLines } from './report/clean.ts';
import { explainError, explainUpload } from './report/failure.ts';
import type { Failure } from './report/failure.ts';
import type { Log } from './report/log.ts';
import { narrateUpload } from './report/narrate.ts';
import type { ScanResult } from './report/scan-result.ts';
import { formatBytes } from './report/units.ts';
import { createAgent } from './service/agent.ts';
import { shareBriefly } from './service/auth.ts';
import type { FetchIdToken } from './service/auth.ts';
import { frameBody } from './service/body.ts';
import type { Body, FilePart } from './service/body.ts';
import { makeIdTokenFetcher } from './service/id-token.ts';
import { locateOperation } from './service/operations.ts';
import { createTraceId } from './service/request.ts';
import type { Schedule } from './service/schedule.ts';
import type { UploadSettings } from './service/settings.ts';
import { upload } from './service/upload.ts';
import type { Upload } from './service/upload-result.ts';
import type { SharedState } from './service/upload.ts';
import type { Clean } from './text.ts';

/** Uploads the scans of a step over one agent and one schedule. */
export class ScanUploader {
  readonly #inputs: Inputs;
  readonly #baseUrl: URL;
  readonly #limits: StepLimits;
  readonly #shared: SharedState;
  readonly #clean: Clean;
  readonly #fetchIdToken: FetchIdToken;

  constructor(inputs: Inputs, limits: StepLimits, schedule: Schedule, log: Log) {
    const { credential, proxy, tls } = inputs;
    this.#inputs = inputs;
    this.#baseUrl = demand(inputs.baseUrl);
    this.#limits = limits;
    this.#shared = { agent: createAgent(this.#baseUrl, tls, proxy), schedule };
    this.#clean = log.clean;
    const source = credential.kind === 'oidc' ? credential.source : undefined;
    const fetch = makeIdTokenFetcher(source, tls, (token) => log.protect(token));
    this.#fetchIdToken = shareBriefly(fetch);
  }

  /** Uploads a scan whose files are open. */
  async upload(scan: ReadyScan, parts: readonly FilePart[], log: Log): Promise<ScanResult> {
    const { credential, headers, stallMs } = this.#inputs;
    const url = locateOperation(this.#baseUrl, scan.plan.operation);
    const body = frameBody(parts, demand(scan.entry.scanKey));
    const settings = this.#gatherSettings(scan.plan, url, body);
    const ended = await upload(
      { url, body, credential, headers, stallMs, settings },
      this.#shared,
      {
        ...narrateUpload(settings, log),
        fetchIdToken: this.#fetchIdToken,
        random: Math.random,
      },
      this.#limits.signal,
    );
    const { result, digests } = ended;
    const failure = this.#explain(ended);
    if (failure === undefined) {
      log.info(`The service accepted ${settings.files}.`);
      for (const text of ended.last.response?.says ?? []) {
        log.info(`The service says: ${joinLines(text)}`);
      }
    }
    return { ...scan, upload: ended, result, digests, failure };
  }

  /** An error in our words must not change what is known of the upload. */
  #explain(ended: Upload): Failure | undefined {
    try {
      return explainUpload(ended);
    } catch (error) {
      return explainError(error, this.#clean);
    }
  }

  #gatherSettings({ parts }: UploadPlan, url: URL, body: Body): UploadSettings {
    const { credential, proxy, tls, retries } = this.#inputs;
    const clean = this.#clean;
    const baseUrl = this.#baseUrl;
    const isSecure = baseUrl.protocol === 'https:';
    return {
      origin: clean(baseUrl.origin),
      hostname: clean(baseUrl.hostname),
      host: clean(`${baseUrl.hostname}:${baseUrl.port || (isSecure ? 443 : 80)}`),
      address: clean(url.href),
      basePath: clean(baseUrl.pathname),
      isSecure,
      bodyBytes: body.length,
      files: parts.map(({ file }) => `${file.displayPath} (${formatBytes(file.size)})`).join(', '),
      traceId: createTraceId(),
      credentialKind: credential.kind,
      hasOwnCa: tls.ca !== undefined,
      hasClientCertificate: tls.cert !== undefined,
      proxyHost: proxy && clean(proxy.url.host),
      retries,
    };
  }
}

/** An input that only a dry run may lack. */
function demand<T>(value: T | undefined): T {
  if (value !== undefined) return value;
  throw new TypeError('The upload lacks an input that only a dry run may lack.');
}
