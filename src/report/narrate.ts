import { setImmediate as endTurn } from 'node:timers/promises';
import type { Inputs, UploadInputs } from '../inputs/inputs.ts';
import { nameResult } from '../outcomes/failure.ts';
import { SUCCESSES } from '../outcomes/results.ts';
import { endDryRun } from '../outcomes/scan-result.ts';
import type { PlannedScan, ScanResult } from '../outcomes/scan-result.ts';
import { describePart } from '../plan/plan.ts';
import type { UploadPlan } from '../plan/plan.ts';
import { locateOperation } from '../service/operations.ts';
import type { StepEvents } from '../stages/upload.ts';
import { formatBytes, formatDuration, formatShare, joinLines, joinTexts } from '../text.ts';
import type { UploadEvents } from '../upload/upload-scan.ts';
import type { Log } from './log.ts';
import {
  countScans,
  describeCounts,
  describeEffort,
  describeFindings,
  describeFormat,
  describeMissing,
  explainVersion,
  listShownMarks,
} from './words.ts';

/** How often a long upload, or a phase with multiple scans, logs its progress. */
const PROGRESS_MS = 5000;

/**
 * Begins a phase of a step. With several scans its lines are in a group. Call the returned function after each scan, so
 * that a long phase logs its progress (`37 of 400 scans`).
 */
export function narratePhase(title: string, scans: number, log: Log): () => void {
  if (scans < 2) return () => {};
  log.startGroup(title);
  let ended = 0;
  const isDue = makeClock();
  return () => {
    ended += 1;
    if (isDue()) log.info(`${ended} of ${scans} scans`);
  };
}

/** Says every five seconds that it is time to log progress, and at the end if it was before. */
function makeClock(): (isEnd?: boolean) => boolean {
  const start = performance.now();
  let last = start;
  return (isEnd = false) => {
    const isDue = performance.now() - last >= PROGRESS_MS;
    if (isDue) last = performance.now();
    return isDue || (isEnd && last > start);
  };
}

/**
 * Logs what the files of scans were recognised as and warnings about them, or why a scan is skipped. Rejects with the
 * signal's reason before the next scan.
 */
export async function narrateFiles(
  scans: readonly (PlannedScan | ScanResult)[],
  noFiles: Inputs['noFiles'],
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  const skip = (text: string, own: Log): void => {
    if (noFiles === 'warn') own.warning('Scan upload skipped', text);
    else own.info(`Skipped: ${text}`);
  };
  if (scans.length === 0) skip('`scans` has no entries.', log);
  for (const scan of scans) {
    await endTurn();
    signal.throwIfAborted();
    const own = log.named(scan.entry.label);
    if (scan.plan !== undefined) narrateParts(scan.plan, own);
    if ('result' in scan && scan.skipped !== undefined) skip(scan.skipped, own);
  }
}

function narrateParts({ parts }: UploadPlan, log: Log): void {
  for (const part of parts) {
    const { content, size } = part.file;
    const of = content.subject === undefined ? '' : `of ${content.subject}`;
    const facts = [
      formatBytes(size),
      describeFormat(content),
      joinTexts([describeCounts(content), of], ' '),
      describeMissing(part),
      ...listShownMarks(part).map(({ text }) => text),
    ];
    log.info(`${describePart(part)}: ${joinTexts(facts, ', ')}`);
    const reason = explainVersion(content);
    if (reason !== '') log.info(reason);
  }
  // A warning about two parts is a member of both, but is logged once.
  const warnings = new Set(parts.flatMap((part) => part.warnings ?? []));
  for (const warning of warnings) log.warning('Scan file', warning);
}

/** Logs what a dry run would do. */
export function narrateDryRun(
  scans: readonly (PlannedScan | ScanResult)[],
  inputs: Pick<Inputs, 'baseUrl' | 'proxy'>,
  stepLog: Log,
): void {
  const planned = scans.flatMap((scan) => ('result' in scan ? [] : [scan]));
  narratePhase(`Dry run of ${planned.length} scans`, planned.length, stepLog);
  for (const scan of planned) {
    const log = stepLog.named(scan.entry.label);
    const target = describeTarget(scan, inputs);
    log.detail(`Operation: ${joinTexts([scan.plan.operation.name, target], ', ')}`);
    log.info('Dry run: nothing was sent.');
    narrateEnd(endDryRun(scan), log);
  }
}

/** Logs what happens while scans are uploaded. */
export function narrateUploads(
  scans: readonly (PlannedScan | ScanResult)[],
  inputs: Pick<UploadInputs, 'baseUrl' | 'maxParallel' | 'proxy'>,
  stepLog: Log,
): StepEvents {
  const count = scans.filter((scan) => !('result' in scan)).length;
  const { origin } = inputs.baseUrl;
  const most = Math.min(inputs.maxParallel, count);
  const title = `Sending ${count} scans to ${origin}, up to ${most} in parallel`;
  const advance = narratePhase(title, count, stepLog);
  return {
    onStart: (scan, bodyBytes) => {
      const log = stepLog.named(scan.entry.label);
      return narrateUpload(describeTarget(scan, inputs), bodyBytes, log);
    },
    onEnd: (scan) => {
      narrateEnd(scan, stepLog.named(scan.entry.label));
      advance();
    },
  };
}

/** Where a scan is sent: `POST https://scans.example.com/v1/scanner/upload-file`; empty if there is no `base-url`. */
function describeTarget(
  { plan: { operation } }: PlannedScan,
  { baseUrl, proxy }: Pick<Inputs, 'baseUrl' | 'proxy'>,
): string {
  const way = proxy === undefined ? '' : ` through the proxy ${proxy.url.host}`;
  return baseUrl === undefined ? '' : `POST ${locateOperation(baseUrl, operation).href}${way}`;
}

function narrateUpload(target: string, bodyBytes: number, log: Log): UploadEvents {
  let attempt = 0;
  let isDue = makeClock();
  return {
    onAttempt: (number) => {
      attempt = number;
      isDue = makeClock();
      if (attempt === 1) log.detail(`Attempt 1: ${target}`);
      else log.info(`Attempt ${attempt}`);
    },
    onState: (state) => {
      if (state === 'sending') log.detail(`Sending ${formatBytes(bodyBytes)}`);
    },
    onSent: (sent) => {
      if (isDue(sent === bodyBytes)) log.info(`Sent ${formatShare(sent, bodyBytes)}`);
    },
    onRetry: (headline, askedMs, waitMs) => {
      const asked = askedMs > 0 ? ` (the service asks for ${formatDuration(askedMs)})` : '';
      log.info(`Attempt ${attempt} failed: ${joinLines(headline)}`);
      log.info(`Waiting ${formatDuration(waitMs)}${asked} before the next attempt.`);
    },
  };
}

/** Logs the result of a scan, and before it what the service said of one that was uploaded. */
function narrateEnd(scan: ScanResult, log: Log): void {
  const { entry, result, failure, says = [], warnings = [] } = scan;
  for (const text of says) log.info(`The service says: ${text}`);
  if (warnings.length > 0) log.warning('Scan upload (service)', warnings.join('\n'));
  const found = SUCCESSES.includes(result) ? describeFindings(countScans([scan])) : '';
  const key = entry.scanKey === '' ? '' : `scan key ${entry.scanKey}`;
  const ended = joinTexts([nameResult(result, failure?.reason, scan.status), found], ': ');
  const facts = joinTexts([describeEffort(scan), key], ', ');
  log.info(`Result: ${joinTexts([ended, facts], '; ')}`);
}
