import { appendFileSync } from 'node:fs';
import { errorMessage } from '../errors.ts';
import { showText } from './clean.ts';
import { RESULT_WORDS, nameResult } from './failure.ts';
import type { Failure } from './failure.ts';
import type { Log } from './log.ts';
import { escapeCode, escapeWords, fence } from './markdown.ts';
import { adviseRerun } from './rerun.ts';
import {
  RANKS,
  getResult,
  getScanKey,
  getStatus,
  groupFailures,
  hasOwnFailure,
  isOwn,
  listLabels,
  listParts,
  sortScans,
} from './scan-result.ts';
import type { FailureGroup, ReadPart, ResultName, ScanResult, StepResult } from './scan-result.ts';
import { WARNED, makeFileTable, makeScanTable, showLabel } from './summary-table.ts';
import { countAttempts, formatDuration } from './units.ts';

const ICONS: Readonly<Record<ResultName, string>> = {
  accepted: '✅',
  rejected: '❌',
  'not-sent': '❌',
  unconfirmed: '❓',
  'dry-run': '☑️',
  skipped: '⏭️',
};

/** How many scans the table shows; a job summary may have 1 MiB. */
const MAX_ROWS = 100;
/** How many of the failures of several scans are shown in full. */
const MAX_FAILURES = 5;

/** A part of the summary; undefined if it does not apply. */
type Block = string | undefined;

/**
 * Adds to the job summary. If there is none (Gitea before 1.27, a terminal) or it cannot be written, this
 * is only logged, because the result of the upload does not depend on it. Not with the toolkit: its write
 * would wait for Node's threads, which a file system that does not respond may keep busy.
 */
export function writeSummary(step: StepResult, log: Log): void {
  try {
    const { GITHUB_STEP_SUMMARY: path = '' } = process.env;
    if (path === '') throw new Error('GITHUB_STEP_SUMMARY is not set');
    appendFileSync(path, `${makeSummary(step)}\n`);
  } catch (error) {
    log.info(`No job summary was written: ${log.clean(errorMessage(error))}`);
  }
}

/** The summary as GitHub-flavoured markdown, with foreign text as code. */
export function makeSummary(step: StepResult): string {
  const blocks = step.scans.length > 1 ? describeBatch(step) : describeSingle(step);
  return blocks.filter((block) => block !== undefined).join('\n\n');
}

function describeSingle(step: StepResult): readonly Block[] {
  const [scan] = step.scans;
  const failure = scan?.failure ?? step.failure;
  const parts = scan === undefined ? [] : listParts(scan);
  const result = getResult(step);
  return [
    `### ${ICONS[result]} Scan upload ${nameResult(result, failure, scan && getStatus(scan))}`,
    ...(failure === undefined ? [explainSkip(step)] : describeFailure(failure)),
    failure === undefined ? undefined : adviseRerun(step),
    parts.length === 0 ? undefined : makeFileTable(parts),
    listWarnings(parts),
    describeRun(step),
    fold('Digests (SHA256)', describeDigests(parts)),
  ];
}

function describeBatch(step: StepResult): readonly Block[] {
  const sorted = sortScans(step.scans);
  const shown = sorted.slice(0, MAX_ROWS);
  const others = sorted.slice(MAX_ROWS);
  const groups = groupFailures(step);
  const more = groups.length - MAX_FAILURES;
  return [
    `### ${ICONS[getResult(step)]} Scan uploads: ${countResults(step.scans)}`,
    ...groups.slice(0, MAX_FAILURES).flatMap(describeGroup),
    more > 0
      ? `And ${more} more ${more === 1 ? 'failure' : 'failures'}: see the log, or the output \`results-path\`.`
      : undefined,
    groups.length === 0 ? undefined : adviseRerun(step),
    makeScanTable(shown),
    others.length === 0 ? undefined : `And ${countResults(others)}.`,
    describeRun(step),
    listScanKeys(shown),
  ];
}

function countResults(scans: readonly ScanResult[]): string {
  return RANKS.flatMap((result) => {
    const those = scans.filter((scan) => scan.result === result);
    if (those.length === 0) return [];
    const own = those.filter(hasOwnFailure).length;
    const isMixed = own > 0 && own < those.length;
    return [
      `${those.length} ${RESULT_WORDS[result]}${isMixed ? ` (${own} failed on ${own === 1 ? 'its' : 'their'} own)` : ''}`,
    ];
  }).join(', ');
}

/** Describes the failure of a group; one that other scans caused is one line. */
function describeGroup({ failure, scans }: FailureGroup): readonly string[] {
  const who = escapeWords(showText(listLabels(scans)));
  if (!isOwn(failure)) {
    return [`${who}: ${escapeWords(showText(failure.headline))}`];
  }
  const { result } = scans[0] ?? { result: 'not-sent' };
  return [`**${RESULT_WORDS[result]}**: ${who}`, ...describeFailure(failure)];
}

function describeFailure({ headline, details, fixes, traces }: Failure): readonly string[] {
  const text = showText([headline, ...details, ...traces].join('\n'));
  const list = fixes.map((line) => `- ${escapeWords(showText(line))}`);
  return [fence(text), `**How to fix it**\n\n${list.join('\n')}`];
}

function explainSkip(step: StepResult): Block {
  if (getResult(step) !== 'skipped') return undefined;
  return escapeWords(showText(step.scans[0]?.skipped ?? '`scans` has no entries.'));
}

function listWarnings(parts: readonly ReadPart[]): Block {
  const warnings = new Set(parts.flatMap(({ warnings: own = [] }) => own));
  if (warnings.size === 0) return undefined;
  return [...warnings].map((text) => `- ${WARNED} ${escapeWords(showText(text))}`).join('\n');
}

function describeRun({ scans, origin, durationMs }: StepResult): string {
  const [scan] = scans.length === 1 ? scans : [];
  const attempts = scans.reduce((sum, { upload }) => sum + (upload?.attempts ?? 0), 0);
  const scanKey = scan && getScanKey(scan);
  const facts = [
    scanKey === undefined ? undefined : `scan key ${escapeCode(scanKey)}`,
    scan?.plan === undefined ? undefined : escapeCode(scan.plan.operation.name),
    attempts === 0 ? undefined : countAttempts(attempts),
    formatDuration(durationMs),
    origin === undefined ? undefined : escapeCode(showText(origin)),
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

/** The scan keys by which people find the scans in the service, and the digests of their files. */
function listScanKeys(scans: readonly ScanResult[]): Block {
  const lines = scans.flatMap((scan) => {
    const scanKey = getScanKey(scan);
    const key = scanKey === undefined ? [] : [escapeCode(scanKey)];
    const facts = [...key, ...describeDigests(listParts(scan))];
    return facts.length === 0 ? [] : [`${showLabel(scan)}: ${facts.join(', ')}`];
  });
  return fold('Scan keys and digests (SHA256)', lines);
}

function describeDigests(parts: readonly ReadPart[]): readonly string[] {
  return parts.flatMap(({ part, sha256 }) =>
    sha256 === undefined ? [] : [`${part.name}: \`${sha256}\``],
  );
}

/** A list that is shown only if a reader opens it. */
function fold(title: string, lines: readonly string[]): Block {
  if (lines.length === 0) return undefined;
  const list = lines.map((line) => `- ${line}`).join('\n');
  return `<details><summary>${title}</summary>\n\n${list}\n\n</details>`;
}
