import { errorMessage } from '../errors.ts';
import type { Content } from '../formats/content.ts';
import { describeContent, describeCounts } from '../formats/describe.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { describePart } from '../plan/plan.ts';
import type { UploadPlan } from '../plan/plan.ts';
import { followAttempt } from '../service/judge.ts';
import { locateOperation } from '../service/operations.ts';
import type { UploadSettings } from '../service/settings.ts';
import type { Situation } from '../situations.ts';
import type { UploadTools } from '../service/upload.ts';
import { joinLines } from './clean.ts';
import { nameResult } from './failure.ts';
import { fixAttempt } from './fixes.ts';
import { describeAttempt } from './headline.ts';
import type { Log } from './log.ts';
import { getResult, getScanKey, getStatus, sortScans } from './scan-result.ts';
import type { ScanResult, StepResult } from './scan-result.ts';
import { countAttempts, formatBytes, formatDuration } from './units.ts';

/** How often a long upload, or a phase with multiple scans, logs its progress. */
const PROGRESS_MS = 5000;

/** Callbacks that log the events of an upload. */
export type Narration = Omit<UploadTools, 'fetchIdToken' | 'random'>;

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
export function narrateResults(step: StepResult, log: Log): void {
  if (step.scans.length === 0) log.info(`Result: ${nameResult(getResult(step), step.failure)}`);
  for (const scan of sortScans(step.scans)) {
    log.named(scan.entry.label).info(`Result: ${describeResult(scan)}`);
  }
}

function describeResult(scan: ScanResult): string {
  const { result, upload, failure, durationMs } = scan;
  const scanKey = getScanKey(scan);
  const after = upload === undefined ? '' : ` after ${countAttempts(upload.attempts)}`;
  const facts = [
    `${nameResult(result, failure, getStatus(scan))}${after}`,
    ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
    ...(scanKey === undefined ? [] : [`scan key ${scanKey}`]),
  ];
  return facts.join(', ');
}

/** Logs the operation, and the URL of an upload. */
export function narrateOperation(
  { operation }: UploadPlan,
  { baseUrl, proxy }: Pick<Inputs, 'baseUrl' | 'proxy'>,
  log: Log,
): void {
  const url = baseUrl && log.clean(locateOperation(baseUrl, operation).href);
  const way = proxy === undefined ? '' : ` through the proxy ${log.clean(proxy.url.host)}`;
  log.detail(`Operation: ${operation.name}${url === undefined ? '' : `, POST ${url}${way}`}`);
}

function describeInside(content: Content): readonly string[] {
  const { tool } = content;
  const counts = describeCounts(content);
  return [...(tool === undefined ? [] : [`by ${tool}`]), ...(counts === '' ? [] : [counts])];
}

/**
 * Logs what happens while the files are sent. An error in making a line must not change what is known of the
 * upload: it is a line itself.
 */
export function narrateUpload(settings: UploadSettings, log: Log): Narration {
  const { origin, bodyBytes } = settings;
  let of = '';
  let attempt = 0;
  let sent = 0;
  let lastLogged = 0;
  /** The last situation whose fix was logged. */
  let known: Situation | undefined;
  const guard =
    <T extends readonly unknown[]>(tell: (...args: T) => void) =>
    (...args: T): void => {
      try {
        tell(...args);
      } catch (error) {
        log.info(`A line of the log could not be made: ${log.clean(errorMessage(error))}`);
      }
    };
  return {
    onAttempt: guard((number) => {
      attempt = number;
      lastLogged = performance.now();
      const text = `Attempt ${attempt}${of}: connecting to ${origin}`;
      if (attempt === 1) log.detail(text);
      else log.info(text);
    }),
    onSent: guard((bytes) => {
      if (sent === 0) log.detail(`Sending ${formatBytes(bodyBytes)}`);
      sent += bytes;
      if (performance.now() - lastLogged < PROGRESS_MS) return;
      lastLogged = performance.now();
      const percent = Math.floor((sent / bodyBytes) * 100);
      log.info(`Sent ${formatBytes(sent)} of ${formatBytes(bodyBytes)} (${percent} %)`);
    }),
    onWaiting: guard(() => {
      log.detail(
        'Everything was sent; waiting for the response (at most 300 s, within `timeout-seconds`)',
      );
    }),
    onRequest: guard((names) => {
      sent = 0;
      log.debug(`Request headers: ${log.clean(names.join(', '))}`);
    }),
    onEnd: guard(({ states }) => {
      log.debug(`Phases: ${states.map(({ state, atMs }) => `${state} at ${atMs} ms`).join(', ')}`);
    }),
    onRetry: guard(({ attempt: last, situation, maxAttempts, waitMs, remainingMs }) => {
      const { result } = followAttempt(situation, last);
      const context = { last, settings, result };
      const [headline] = describeAttempt(situation, context);
      // The fix with the first attempt: all of them may take minutes.
      of = ` of at most ${maxAttempts}`;
      log.info(`Attempt ${attempt} failed: ${joinLines(headline)}`);
      const isHelpful = result === 'not-sent' && last.response === undefined;
      if (isHelpful && situation !== known) log.info(fixAttempt(situation, context).join(' '));
      known = situation;
      const askedMs = last.response?.retryAfterMs ?? 0;
      const asked = askedMs > 0 ? ` (the service asks for ${formatDuration(askedMs)})` : '';
      log.info(
        `Waiting ${formatDuration(waitMs)}${asked} before the next attempt; ${formatDuration(remainingMs)} of \`timeout-seconds\` are left.`,
      );
    }),
  };
}
