import { getIDToken } from '@actions/core';
import { settleWithin } from './abort.ts';
import { NotStartedError } from './errors.ts';
import type { Inputs } from './inputs.ts';
import type { StepLimits } from './lifecycle.ts';
import { mapParallel } from './parallel.ts';
import { explainError, explainUpload } from './report/explain.ts';
import type { UploadFacts } from './report/explanation.ts';
import type { Log } from './report/log.ts';
import { narrateBatch, narrateOperation, narrateUpload } from './report/narrate.ts';
import type { Failure } from './report/result.ts';
import { formatBytes } from './report/units.ts';
import { closeFiles, reopenScanFile } from './files/open.ts';
import type { UploadPlan } from './scan/plan.ts';
import { createAgent } from './service/agent.ts';
import { shareBriefly } from './service/auth.ts';
import type { FetchIdToken } from './service/auth.ts';
import { frameBody } from './service/body.ts';
import type { Body, FilePart } from './service/body.ts';
import { locateOperation } from './service/operations.ts';
import { createTraceId } from './service/request.ts';
import { Schedule } from './service/schedule.ts';
import { upload } from './service/upload.ts';
import type { SharedState, UploadReport, UploadTools } from './service/upload.ts';
import { getResponse } from './service/verdict.ts';
import { writeBody } from './service/write-body.ts';
import type { ScanDraft } from './drafts.ts';

/** A scan whose files are known. */
interface PlannedScan {
  readonly scan: ScanDraft;
  readonly scanKey: string;
  readonly plan: UploadPlan;
}

/**
 * Sends the planned scans, or with `dry-run` only reads them, up to `max-parallel` at a time, and
 * notes the result of each in its draft.
 */
export async function sendScans(
  scans: readonly ScanDraft[],
  inputs: Inputs,
  limits: StepLimits,
  log: Log,
): Promise<void> {
  const planned = scans.flatMap(listPlanned);
  const limit = Math.min(inputs.maxParallel, planned.length);
  narrateBatch(planned.length, limit, inputs.baseUrl.origin, log);
  const sender = new ScanSender(inputs, limits, log);
  await mapParallel(planned, limit, (scan) => sender.send(scan));
}

function listPlanned(scan: ScanDraft): readonly PlannedScan[] {
  const { entry, plan, isOpen } = scan;
  if (plan === undefined || !isOpen || 'error' in entry) return [];
  return [{ scan, scanKey: entry.scanKey, plan }];
}

/** Sends scan after scan; one of them may delay the others, or stop them from being started. */
class ScanSender {
  readonly #inputs: Inputs;
  readonly #limits: StepLimits;
  readonly #shared: SharedState;
  readonly #log: Log;
  readonly #fetchIdToken: FetchIdToken;
  /** The explanation of an error that ends several scans: one failure, so that it is reported once. */
  readonly #failures = new Map<unknown, Failure>();

  constructor(inputs: Inputs, limits: StepLimits, log: Log) {
    this.#inputs = inputs;
    this.#limits = limits;
    this.#shared = {
      agent: createAgent(inputs.baseUrl, inputs.tls),
      schedule: new Schedule(limits.deadline),
      mayExpect: true,
    };
    this.#log = log;
    this.#fetchIdToken = shareBriefly((audience) => fetchIdToken(audience, log));
  }

  /** Sends one scan; never rejects. */
  async send(planned: PlannedScan): Promise<void> {
    const { scan } = planned;
    const { label } = scan.entry;
    const log = this.#log.named(label);
    try {
      await this.#shared.schedule.wait(0, this.#limits.signal);
      await this.#sendFiles(planned, log);
    } catch (error) {
      scan.failure = this.#explainOnce(error);
    }
    if (scan.failure === undefined || label === undefined) return;
    log.info(`${scan.failure.title}. ${scan.failure.headline}`);
    if (this.#inputs.failFast) this.#stopOthers(`${label} failed, and \`fail-fast\` is true`);
  }

  #explainOnce(error: unknown): Failure {
    const failure = this.#failures.get(error) ?? explainError(error);
    this.#failures.set(error, failure);
    return failure;
  }

  #stopOthers(cause: string): void {
    this.#shared.schedule.stop(new NotStartedError(`Not sent: ${cause}.`));
  }

  async #sendFiles({ scan, scanKey, plan }: PlannedScan, log: Log): Promise<void> {
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
      if (this.#inputs.dryRun) await this.#rehearse(scan, body, log);
      else await this.#upload(scan, body, facts, log);
    } finally {
      const closing = closeFiles(parts.map(({ file }) => file));
      // Files were only read, and the result is final: ignore errors while closing them.
      await settleWithin(closing, signal).catch(() => {});
    }
  }

  #gatherFacts(plan: UploadPlan, body: Body): UploadFacts {
    const { baseUrl, credential, proxy } = this.#inputs;
    return {
      url: locateOperation(baseUrl, plan.operation),
      bodyBytes: body.length,
      files: plan.parts
        .map(({ file }) => `${file.displayPath} (${formatBytes(file.size)})`)
        .join(', '),
      traceId: createTraceId(),
      credentialKind: credential.kind,
      proxyHost: proxy?.host,
    };
  }

  async #rehearse(scan: ScanDraft, body: Body, log: Log): Promise<void> {
    const reading = writeBody(body, async () => {});
    scan.digests = await settleWithin(reading, this.#limits.signal);
    scan.result = 'dry-run';
    log.info('Dry run: nothing was sent.');
  }

  async #upload(scan: ScanDraft, body: Body, facts: UploadFacts, log: Log): Promise<void> {
    const { url, traceId } = facts;
    const { signal } = this.#limits;
    const { credential, headers, retries, stallMs } = this.#inputs;
    const task = { url, body, credential, headers, traceId, stallMs, retries };
    const tools: UploadTools = {
      ...narrateUpload(facts, retries + 1, log),
      fetchIdToken: this.#fetchIdToken,
      random: Math.random,
    };
    const report = await upload(task, this.#shared, tools, signal);
    noteReport(scan, report);
    scan.failure = explainUpload(report, facts, signal.reason, (text) => log.redact(text));
    if (scan.failure === undefined) log.info(`The service accepted ${facts.files}.`);
    const lack = findCredentialLack(report);
    if (lack !== undefined) this.#stopOthers(`${lack} (${scan.entry.label ?? 'the scan'})`);
  }
}

function noteReport(scan: ScanDraft, report: UploadReport): void {
  const { cause } = report.verdict;
  scan.result = report.result;
  scan.attempts = report.attempts;
  scan.digests = report.digests;
  scan.statusCode = getResponse(cause)?.status;
  scan.problem = cause.kind === 'refused' ? cause.problem : undefined;
}

/** Why no other scan would get through either: all have the same credential. */
function findCredentialLack({ verdict: { cause } }: UploadReport): string | undefined {
  if (cause.kind === 'oidc' && cause.error.isPermission) {
    return 'the job may not request an OIDC token';
  }
  const isRejected = cause.kind === 'refused' && cause.response.status === 401;
  return isRejected ? 'the service rejected the credential' : undefined;
}

async function fetchIdToken(audience: string, log: Log): Promise<string> {
  log.protect(process.env.ACTIONS_ID_TOKEN_REQUEST_TOKEN ?? '');
  const token: unknown = await getIDToken(audience);
  if (typeof token !== 'string') throw new TypeError('the response holds no token');
  log.protect(token);
  return token;
}
