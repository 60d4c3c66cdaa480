import * as core from '@actions/core';
import { errorMessage } from '../errors.ts';
import type { Log } from './log.ts';
import { showText } from './clean.ts';
import { groupFailures, listLabels } from './failures.ts';
import type { FailureGroup } from './failures.ts';
import { escapeCode, escapeWords, fence } from './markdown.ts';
import { RESULT_WORDS } from './result.ts';
import type { Failure, ManifestEntry, ResultName, ScanResult, StepResult } from './result.ts';
import { WARNED, makeFileTable } from './summary-files.ts';
import { countResults, makeScanTables } from './summary-scans.ts';
import { makeSeverityTable } from './summary-severities.ts';
import { countAttempts, formatDuration } from './units.ts';

const ICONS: Readonly<Record<ResultName, string>> = {
  accepted: '✅',
  rejected: '❌',
  'not-sent': '❌',
  unconfirmed: '❓',
  'dry-run': '☑️',
  skipped: '⏭️',
};

/** With multiple scans, how many failures are shown in full. */
const MAX_FAILURES = 5;

/** The last thing to do about a failure, whatever it was. */
const NEXT_STEPS: Readonly<Partial<Record<ResultName, readonly string[]>>> = {
  rejected: ['After fixing this, re-run the failed jobs.'],
  'not-sent': [
    'After fixing this, re-run the failed jobs. That is safe: the service cannot have the whole upload.',
  ],
  unconfirmed: [
    'Look at the service first: it may have the scan, and re-running the failed jobs sends it again.',
  ],
};

/**
 * Adds to the job summary. Where there is none (Gitea before 1.27, a terminal) or it cannot be
 * written, a word in the log is all: the upload is what counts.
 */
export async function writeSummary(step: StepResult, log: Log): Promise<void> {
  try {
    await core.summary.addRaw(makeSummary(step), true).write();
  } catch (error) {
    log.info(`No job summary was written: ${log.clean(errorMessage(error))}`);
  }
}

/** The summary as GitHub-flavoured markdown. Foreign text stands in it escaped, or in a fence. */
export function makeSummary(step: StepResult): string {
  const blocks = step.scans.length > 1 ? describeMany(step) : describeOne(step);
  return blocks.filter((block) => block !== undefined).join('\n\n');
}

function describeOne(step: StepResult): readonly (string | undefined)[] {
  const [scan] = step.scans;
  const failure = scan?.failure ?? step.failure;
  const manifest = scan?.manifest ?? [];
  return [
    `### ${ICONS[step.result]} Scan upload ${RESULT_WORDS[step.result]}`,
    describeRun(step),
    ...(failure === undefined ? [] : describeFailure(failure, adviseNext(step.result, failure))),
    manifest.length === 0 ? undefined : makeFileTable(manifest),
    listWarnings(manifest),
    makeSeverityTable(manifest.map((entry) => ({ ...entry, name: entry.part }))),
  ];
}

function describeMany(step: StepResult): readonly (string | undefined)[] {
  const groups = groupFailures(step);
  const shown = groups.slice(0, MAX_FAILURES).flatMap(({ failure, scans }) => {
    const { result } = scans[0] ?? step;
    const who = escapeWords(showText(listLabels(scans)));
    return [`**${RESULT_WORDS[result]}:** ${who}`, ...describeFailure(failure, [])];
  });
  const more = groups.length - MAX_FAILURES;
  return [
    `### ${ICONS[step.result]} Scan uploads: ${countResults(step.scans)}`,
    describeRun(step),
    ...makeScanTables(step.scans),
    ...shown,
    more > 0 ? `And ${more} more failures: see the log, or the output \`results\`.` : undefined,
    adviseRerun(step.scans, groups),
  ];
}

function adviseNext(result: ResultName, { reason }: Failure): readonly string[] {
  // Nothing is wrong with what was cancelled.
  if (reason === 'cancelled' && result !== 'unconfirmed') return [];
  return NEXT_STEPS[result] ?? [];
}

/** Whether something failed that a re-run may change: nothing is wrong with what was cancelled. */
function mayRerun(groups: readonly FailureGroup[]): boolean {
  return groups.some(({ failure }) => !['cancelled', 'other-scans'].includes(failure.reason));
}

/** What a re-run does differs from scan to scan. */
function adviseRerun(
  scans: readonly ScanResult[],
  groups: readonly FailureGroup[],
): string | undefined {
  const results = new Set(scans.map(({ result }) => result));
  const rerun = results.has('accepted')
    ? 'After fixing this, re-run the failed jobs: that sends every scan again, those that were accepted too.'
    : 'After fixing this, re-run the failed jobs.';
  const steps = [
    ...(results.has('unconfirmed')
      ? ['Look at the service first for what is unconfirmed: it may have these scans.']
      : []),
    ...(mayRerun(groups) ? [rerun] : []),
  ];
  return steps.length === 0 ? undefined : `**What to do next**\n\n${listWords(steps)}`;
}

function listWarnings(manifest: readonly ManifestEntry[]): string | undefined {
  const warnings = new Set(manifest.flatMap((entry) => entry.warnings));
  if (warnings.size === 0) return undefined;
  return [...warnings].map((text) => `- ${WARNED} ${escapeWords(showText(text))}`).join('\n');
}

function describeRun(step: StepResult): string {
  const { origin, durationMs, scans } = step;
  const [scan] = scans.length === 1 ? scans : [];
  const attempts = scans.reduce((sum, each) => sum + each.attempts, 0);
  const facts = [
    scan?.operation === undefined ? undefined : `\`${scan.operation}\``,
    origin === undefined ? undefined : `to ${escapeCode(showText(origin))}`,
    scan?.statusCode === undefined ? undefined : `status ${scan.statusCode}`,
    attempts === 0 ? undefined : countAttempts(attempts),
    formatDuration(durationMs),
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

function describeFailure(
  { headline, details, advice, traces }: Failure,
  nextSteps: readonly string[],
): readonly string[] {
  const text = showText([headline, ...details, ...traces].join('\n'));
  const steps = [...advice.map(showText), ...nextSteps];
  if (steps.length === 0) return [fence(text)];
  return [fence(text), '**What to do**', listWords(steps)];
}

function listWords(lines: readonly string[]): string {
  return lines.map((line) => `- ${escapeWords(line)}`).join('\n');
}
