import { errorMessage } from '../errors.ts';
import { describeContent, describeCounts, formatCount } from '../formats/describe.ts';
import type { ScanFile } from '../formats/inspect.ts';
import { SEVERITIES } from '../formats/severity.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { describePart } from '../plan/plan.ts';
import type { UploadPlan } from '../plan/plan.ts';
import { locateOperation } from '../service/operations.ts';
import type { UploadFacts } from '../outcomes/advice.ts';
import { conclude } from '../outcomes/situations.ts';
import type { Situation } from '../outcomes/situations.ts';
import type { Retry, UploadEvents } from '../upload/upload.ts';
import { joinLines } from '../text.ts';
import { adviseAttempt, nameResult } from '../results/failure.ts';
import { describeAttempt } from '../outcomes/headline.ts';
import type { Log } from './log.ts';
import { getResult, getStatus, sortScans } from '../results/scan-result.ts';
import type { ScanResult, StepResult } from '../results/scan-result.ts';
import { HEADINGS } from './summary-table.ts';
import { countAttempts, formatBytes, formatDuration } from '../units.ts';

/** How often a long upload, or a phase with multiple scans, logs its progress. */
const PROGRESS_MS = 5000;
const WAITING =
  'Everything was sent; waiting for the response (at most 300 s, within `timeout-seconds`)';

/** Logs what the files were recognised as. */
export function narrateParts(plan: UploadPlan, log: Log): void {
  for (const planned of plan.parts) {
    const { file } = planned;
    const { content, size } = file;
    const by = content.tool === undefined ? '' : `by ${content.tool}`;
    const rated = SEVERITIES.flatMap((severity) => {
      const count = content.severities?.[severity] ?? 0;
      return count === 0 ? [] : [`${formatCount(count)} ${HEADINGS[severity].toLowerCase()}`];
    });
    const counts = `${describeCounts(content)}${rated.length === 0 ? '' : ': '}${rated.join(', ')}`;
    const known = [formatBytes(size), describeContent(content), by, counts, describeAge(file)];
    log.info(`${describePart(planned)}: ${known.filter((fact) => fact !== '').join(', ')}`);
  }
}

/** When a file was written, if that was long before the step: it may be an earlier report. */
function describeAge({ mtimeNs }: ScanFile): string {
  const hours = Math.floor((performance.timeOrigin - Number(mtimeNs / 1_000_000n)) / 3_600_000);
  if (hours < 1) return '';
  return hours < 48 ? `written ${hours} h ago` : `written ${Math.floor(hours / 24)} days ago`;
}

/**
 * Runs a phase of a step. With several scans its lines are in a group. `work` calls `advance` after each
 * scan, so that a long phase logs its progress (`37 of 400 inspected`).
 */
export async function runPhase<T>(
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
  const { scanKey } = scan.entry;
  const after = upload === undefined ? '' : ` after ${countAttempts(upload.attempts)}`;
  const facts = [
    `${nameResult(result, failure, getStatus(scan))}${after}`,
    durationMs === undefined ? '' : formatDuration(durationMs),
    scanKey === undefined ? '' : `scan key ${scanKey}`,
  ];
  return facts.filter((fact) => fact !== '').join(', ');
}

/** Logs the operation, and the URL of an upload. */
export function narrateOperation(
  { operation }: UploadPlan,
  { baseUrl, proxy }: Pick<Inputs, 'baseUrl' | 'proxy'>,
  log: Log,
): void {
  const url = baseUrl && locateOperation(baseUrl, operation).href;
  const way = proxy === undefined ? '' : ` through the proxy ${proxy.url.host}`;
  log.detail(`Operation: ${operation.name}${url === undefined ? '' : `, POST ${url}${way}`}`);
}

/** Logs what happens while the files are sent. */
export function narrateUpload(settings: UploadFacts, log: Log): UploadEvents {
  const { origin, bodyBytes } = settings;
  let of = '';
  let attempt = 0;
  let lastLogged = 0;
  /** The last situation whose fix was logged. */
  let known: Situation | undefined;
  /** Logs that the response takes long. It does not keep the process alive. */
  let waiting: NodeJS.Timeout | undefined;
  return {
    onAttempt: (number) => {
      attempt = number;
      lastLogged = performance.now();
      const text = `Attempt ${attempt}${of}: connecting to ${origin}`;
      if (attempt === 1) log.detail(text);
      else log.info(text);
    },
    onSent: (sent) => {
      if (sent === bodyBytes) {
        waiting = setTimeout(() => log.detail(WAITING), PROGRESS_MS).unref();
      } else if (performance.now() - lastLogged >= PROGRESS_MS) {
        lastLogged = performance.now();
        const percent = Math.floor((sent / bodyBytes) * 100);
        log.info(`Sent ${formatBytes(sent)} of ${formatBytes(bodyBytes)} (${percent} %)`);
      }
    },
    onState: (state) => {
      if (state === 'reading' || state === 'ended') clearTimeout(waiting);
      if (state === 'sending') log.detail(`Sending ${formatBytes(bodyBytes)}`);
    },
    onRetry: (failed) => {
      const { waitMs, remainingMs } = failed;
      const askedMs = failed.attempt.response?.retryAfterMs ?? 0;
      const asked = askedMs > 0 ? ` (the service asks for ${formatDuration(askedMs)})` : '';
      const [headline, fix] = describeFailed(failed, settings);
      log.info(`Attempt ${attempt} failed: ${headline}`);
      // The fix with the first attempt: all of them may take minutes.
      if (fix !== '' && failed.situation !== known) log.info(fix);
      known = failed.situation;
      of = ` of at most ${failed.maxAttempts}`;
      log.info(
        `Waiting ${formatDuration(waitMs)}${asked} before the next attempt; ${formatDuration(remainingMs)} of \`timeout-seconds\` are left.`,
      );
    },
  };
}

/** How an attempt failed, and what helps. An error in making the words must not change what is known of the upload. */
function describeFailed(
  { attempt: last, situation }: Retry,
  settings: UploadFacts,
): readonly [string, string] {
  try {
    const { result } = conclude(situation, last);
    const context = { last, settings, result };
    const [headline] = describeAttempt(situation, context);
    const isHelpful = result === 'not-sent' && last.response === undefined;
    return [joinLines(headline), isHelpful ? adviseAttempt(situation, context).join(' ') : ''];
  } catch (error) {
    return [errorMessage(error), ''];
  }
}
