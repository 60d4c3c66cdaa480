import type { Content } from '../formats/content.ts';
import { describeContent, describeCounts } from '../formats/describe.ts';
import { describePart } from '../plan/plan.ts';
import type { UploadPlan } from '../plan/plan.ts';
import type { UploadTools } from '../service/upload.ts';
import { MAX_HEADLINE_CHARACTERS, cutText } from './clean.ts';
import { explainCause } from './explain-upload.ts';
import type { UploadFacts } from './upload-facts.ts';
import type { Log } from './log.ts';
import { RESULT_WORDS, sortScans } from './result.ts';
import type { ScanResult, StepResult } from './result.ts';
import { countAttempts, formatBytes, formatDuration } from './units.ts';

/** How often a long upload, or a phase with multiple scans, logs its progress. */
const PROGRESS_MS = 5000;

/** Callbacks that log the events of an upload. */
export type Narration = Omit<UploadTools, 'clean' | 'fetchIdToken' | 'random'>;

/** Logs what the files were recognised as. */
export function narrateParts(plan: UploadPlan, log: Log): void {
  for (const planned of plan.parts) {
    const { content, size } = planned.file;
    const known = [formatBytes(size), describeContent(content), ...describeInside(content)];
    log.info(`${describePart(planned)}: ${known.join(', ')}`);
  }
}

/**
 * Runs a phase of a step. With several scans its lines are in a group. `work` calls `advance` after each
 * scan, so that a long phase logs its progress (`37 of 400 inspected`).
 */
export async function narratePhase<T>(
  { title, scans, done }: Phase,
  log: Log,
  work: (advance: () => void) => Promise<T>,
): Promise<T> {
  if (scans < 2) return work(() => {});
  let ended = 0;
  let lastLogged = performance.now();
  const advance = (): void => {
    ended += 1;
    if (performance.now() - lastLogged < PROGRESS_MS) return;
    lastLogged = performance.now();
    log.info(`${ended} of ${scans} ${done}`);
  };
  return log.group(title, () => work(advance));
}

/** A phase that all scans of a step go through. */
interface Phase {
  readonly title: string;
  /** Number of scans. */
  readonly scans: number;
  /** The state of a scan after the phase: `inspected`. */
  readonly done: string;
}

/** Logs the result of each scan in one line, failed scans first. */
export function narrateResults({ scans, result }: StepResult, log: Log): void {
  if (scans.length === 0) log.info(`Result: ${RESULT_WORDS[result]}`);
  for (const scan of sortScans(scans))
    log.named(scan.label).info(`Result: ${describeResult(scan)}`);
}

function describeResult({ result, statusCode, attempts, durationMs, scanKey }: ScanResult): string {
  const status = statusCode === undefined ? '' : ` (${statusCode})`;
  const after = attempts === 0 ? '' : ` after ${countAttempts(attempts)}`;
  const facts = [
    `${RESULT_WORDS[result]}${status}${after}`,
    ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
    ...(scanKey === undefined ? [] : [`scan key ${scanKey}`]),
  ];
  return facts.join(', ');
}

/** Logs the operation and the URL of an upload. */
export function narrateOperation({ operation }: UploadPlan, facts: UploadFacts, log: Log): void {
  const way = facts.proxyHost === undefined ? '' : ` through the proxy ${facts.proxyHost}`;
  log.detail(`Operation: ${operation.name}, POST ${facts.address}${way}`);
}

function describeInside(content: Content): readonly string[] {
  const { tool } = content;
  const counts = describeCounts(content);
  return [...(tool === undefined ? [] : [`by ${tool}`]), ...(counts === '' ? [] : [counts])];
}

/** Logs what happens while the files are sent. */
export function narrateUpload(facts: UploadFacts, maxAttempts: number, log: Log): Narration {
  let attempt = 0;
  let sent = 0;
  let lastLogged = 0;
  return {
    onAttempt: (number) => {
      attempt = number;
      lastLogged = performance.now();
      const of = maxAttempts === 1 ? '' : ` of at most ${maxAttempts}`;
      const text = `Attempt ${attempt}${of}: connecting to ${facts.origin}`;
      if (attempt === 1) log.detail(text);
      else log.info(text);
    },
    onSent: (bytes) => {
      if (sent === 0) log.detail(`Sending ${formatBytes(facts.bodyBytes)}`);
      sent += bytes;
      if (performance.now() - lastLogged < PROGRESS_MS) return;
      lastLogged = performance.now();
      const percent = Math.floor((sent / facts.bodyBytes) * 100);
      log.info(`Sent ${formatBytes(sent)} of ${formatBytes(facts.bodyBytes)} (${percent} %)`);
    },
    onRequest: (names) => {
      sent = 0;
      log.debug(`Request headers: ${log.clean(names.join(', '))}`);
    },
    onPhases: (phases) => {
      log.debug(`Phases: ${phases.map(({ phase, atMs }) => `${phase} at ${atMs} ms`).join(', ')}`);
    },
    onRetry: ({ cause }, waitMs, remainingMs) => {
      const headline = cutText(explainCause(cause, facts).headline, MAX_HEADLINE_CHARACTERS);
      log.info(`Attempt ${attempt} failed: ${headline}`);
      log.info(
        `Waiting ${formatDuration(waitMs)} before the next attempt; ${formatDuration(remainingMs)} of \`timeout-seconds\` are left.`,
      );
    },
  };
}
