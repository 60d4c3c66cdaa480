import { getIDToken } from '@actions/core';
import { settleWithin } from './abort.ts';
import type { Inputs } from './inputs.ts';
import type { StepLimits } from './lifecycle.ts';
import { explainUpload } from './report/explain.ts';
import type { UploadFacts } from './report/explanation.ts';
import type { Log } from './report/log.ts';
import { narrateOperation, narrateUpload } from './report/narrate.ts';
import { formatBytes } from './report/units.ts';
import type { UploadPlan } from './scan/plan.ts';
import { frameBody } from './service/body.ts';
import type { Body } from './service/body.ts';
import { upload } from './service/client.ts';
import type { UploadTools } from './service/client.ts';
import { locateOperation } from './service/operations.ts';
import { getAnswer } from './service/outcome.ts';
import { createTraceId } from './service/trace.ts';
import { writeBody } from './service/write-body.ts';
import type { StepDraft } from './step.ts';

/** Sends what is planned, or with `dry-run` only reads it, and notes in `draft` what became of it. */
export async function sendPlan(
  plan: UploadPlan,
  inputs: Inputs,
  limits: StepLimits,
  draft: StepDraft,
  log: Log,
): Promise<void> {
  const body = frameBody(plan, inputs.scanKey);
  const facts: UploadFacts = {
    url: locateOperation(inputs.baseUrl, plan.operation),
    bodyBytes: body.length,
    files: plan.parts
      .map(({ file }) => `${file.displayPath} (${formatBytes(file.size)})`)
      .join(', '),
    traceId: createTraceId(),
    credentialKind: inputs.credential.kind,
    proxyHost: inputs.proxy?.host,
  };
  narrateOperation(plan, facts, log);
  if (!inputs.dryRun) return uploadBody(body, facts, inputs, limits, draft, log);
  draft.digests = await settleWithin(
    writeBody(body, async () => {}),
    limits.signal,
  );
  draft.result = 'dry-run';
  log.info('Dry run: nothing was sent.');
}

async function uploadBody(
  body: Body,
  facts: UploadFacts,
  inputs: Inputs,
  { signal, deadline }: StepLimits,
  draft: StepDraft,
  log: Log,
): Promise<void> {
  const { url, traceId } = facts;
  const { credential, headers, tls, retries, stallMs } = inputs;
  const task = { url, body, credential, headers, tls, traceId, stallMs, retries, deadline };
  const tools: UploadTools = {
    ...narrateUpload(facts, retries + 1, log),
    fetchIdToken: (audience) => fetchIdToken(audience, log),
    random: Math.random,
  };
  const report = await upload(task, tools, signal);
  const { cause } = report.verdict;
  draft.result = report.result;
  draft.attempts = report.attempts;
  draft.digests = report.digests;
  draft.statusCode = getAnswer(cause)?.status;
  draft.problem = cause.kind === 'refused' ? cause.problem : undefined;
  draft.failure = explainUpload(report, facts, signal.reason, (text) => log.redact(text));
  if (draft.failure === undefined) log.info(`The service accepted ${facts.files}.`);
}

async function fetchIdToken(audience: string, log: Log): Promise<string> {
  log.protect(process.env.ACTIONS_ID_TOKEN_REQUEST_TOKEN ?? '');
  const token: unknown = await getIDToken(audience);
  if (typeof token !== 'string') throw new TypeError('the answer holds no token');
  log.protect(token);
  return token;
}
