import { getIDToken } from '@actions/core';
import { settleWithin } from './abort.ts';
import { NotBegunError } from './errors.ts';
import type { Inputs } from './inputs.ts';
import { mapInLanes } from './lanes.ts';
import type { StepLimits } from './lifecycle.ts';
import { explainError, explainUpload } from './report/explain.ts';
import type { UploadFacts } from './report/explanation.ts';
import type { Log } from './report/log.ts';
import { narrateBatch, narrateOperation, narrateUpload } from './report/narrate.ts';
import type { Failure } from './report/result.ts';
import { formatBytes } from './report/units.ts';
import { closeFiles, reopenScanFile } from './files/open.ts';
import type { UploadPlan } from './scan/plan.ts';
import { shareBriefly } from './service/auth.ts';
import type { FetchIdToken } from './service/auth.ts';
import { frameBody } from './service/body.ts';
import type { Body, FilePart } from './service/body.ts';
import { upload } from './service/client.ts';
import type { UploadReport, UploadTools } from './service/client.ts';
import { Link } from './service/link.ts';
import { locateOperation } from './service/operations.ts';
import { getAnswer } from './service/verdict.ts';
import { Pace } from './service/pace.ts';
import { createTraceId } from './service/trace.ts';
import { writeBody } from './service/write-body.ts';
import type { ScanDraft } from './drafts.ts';

/** A scan whose files are known. */
interface PlannedScan {
  readonly scan: ScanDraft;
  readonly scanKey: string;
  readonly plan: UploadPlan;
}

/**
 * Sends what is planned, or with `dry-run` only reads it, so many scans at a time, and notes in each
 * draft what became of it.
 */
export async function sendScans(
  scans: readonly ScanDraft[],
  inputs: Inputs,
  limits: StepLimits,
  log: Log,
): Promise<void> {
  const planned = scans.flatMap(listPlanned);
  const lanes = Math.min(inputs.maxParallel, planned.length);
  const link = new Link(inputs.baseUrl, inputs.tls, planned.length);
  narrateBatch(planned.length, lanes, inputs.baseUrl.origin, log);
  const sender = new ScanSender(inputs, limits, link, log);
  await mapInLanes(planned, lanes, (scan) => sender.send(scan));
  await link.close();
}

function listPlanned(scan: ScanDraft): readonly PlannedScan[] {
  const { entry, plan, isOpen } = scan;
  if (plan === undefined || !isOpen || 'error' in entry) return [];
  return [{ scan, scanKey: entry.scanKey, plan }];
}

/** Sends scan after scan; what one of them meets may hold back or end the others. */
class ScanSender {
  readonly #inputs: Inputs;
  readonly #limits: StepLimits;
  readonly #link: Link;
  readonly #pace: Pace;
  readonly #log: Log;
  readonly #fetchIdToken: FetchIdToken;
  /** What was told of an error that several scans end with: one failure, so that it is told once. */
  readonly #failures = new Map<unknown, Failure>();

  constructor(inputs: Inputs, limits: StepLimits, link: Link, log: Log) {
    this.#inputs = inputs;
    this.#limits = limits;
    this.#link = link;
    this.#pace = new Pace(limits.deadline);
    this.#log = log;
    this.#fetchIdToken = shareBriefly((audience) => fetchIdToken(audience, log));
  }

  /** Sends one scan; never rejects. */
  async send(planned: PlannedScan): Promise<void> {
    const { scan } = planned;
    const log = this.#log.named(scan.entry.label);
    try {
      await this.#pace.wait(0, this.#limits.signal);
      await this.#sendFiles(planned, log);
    } catch (error) {
      scan.failure = this.#explainOnce(error);
    }
    if (scan.failure === undefined || scan.entry.label === undefined) return;
    log.info(`${scan.failure.title}. ${scan.failure.headline}`);
    if (this.#inputs.failFast) this.#halt(scan, 'failed, and fail-fast is true');
  }

  #explainOnce(error: unknown): Failure {
    const failure = this.#failures.get(error) ?? explainError(error);
    this.#failures.set(error, failure);
    return failure;
  }

  #halt({ entry }: ScanDraft, cause: string): void {
    this.#pace.halt(new NotBegunError(`Not begun, since ${entry.label ?? 'the scan'} ${cause}.`));
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
      // What was only read loses nothing: neither an error nor a hang may change what has been told.
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
    const { signal, deadline } = this.#limits;
    const { credential, headers, retries, stallMs } = this.#inputs;
    const task = { url, body, credential, headers, traceId, stallMs, retries, deadline };
    const tools: UploadTools = {
      ...narrateUpload(facts, retries + 1, log),
      fetchIdToken: this.#fetchIdToken,
      random: Math.random,
    };
    const report = await upload(task, { link: this.#link, pace: this.#pace }, tools, signal);
    noteReport(scan, report);
    scan.failure = explainUpload(report, facts, signal.reason, (text) => log.redact(text));
    if (scan.failure === undefined) log.info(`The service accepted ${facts.files}.`);
    else if (isCredentialRefused(report)) this.#halt(scan, 'was refused its credential');
  }
}

function noteReport(scan: ScanDraft, report: UploadReport): void {
  const { cause } = report.verdict;
  scan.result = report.result;
  scan.attempts = report.attempts;
  scan.digests = report.digests;
  scan.statusCode = getAnswer(cause)?.status;
  scan.problem = cause.kind === 'refused' ? cause.problem : undefined;
}

/** A credential that is not taken, or cannot be had, is the same for all scans. */
function isCredentialRefused({ verdict: { cause } }: UploadReport): boolean {
  if (cause.kind === 'identity') return cause.error.isPermission;
  return cause.kind === 'refused' && cause.answer.status === 401;
}

async function fetchIdToken(audience: string, log: Log): Promise<string> {
  log.protect(process.env.ACTIONS_ID_TOKEN_REQUEST_TOKEN ?? '');
  const token: unknown = await getIDToken(audience);
  if (typeof token !== 'string') throw new TypeError('the answer holds no token');
  log.protect(token);
  return token;
}
