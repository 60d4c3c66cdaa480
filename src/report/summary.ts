import { appendFileSync } from 'node:fs';
import { errorMessage } from '../errors.ts';
import { adviseRerun } from './advise-rerun.ts';
import { showText } from './clean.ts';
import { groupFailures, listLabels } from './failures.ts';
import type { FailureGroup } from './failures.ts';
import type { Log } from './log.ts';
import { escapeCode, escapeWords, fence } from './markdown.ts';
import { RANKS, RESULT_WORDS, sortScans } from './result.ts';
import type { Failure, ManifestEntry, ResultName, ScanResult, StepResult } from './result.ts';
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
  const manifest = scan?.manifest ?? [];
  const status = scan?.statusCode === undefined ? '' : ` (${scan.statusCode})`;
  return [
    `### ${ICONS[step.result]} Scan upload ${RESULT_WORDS[step.result]}${status}`,
    ...(failure === undefined ? [explainSkip(step)] : describeFailure(failure)),
    failure === undefined ? undefined : adviseRerun(step),
    manifest.length === 0 ? undefined : makeFileTable(manifest),
    listWarnings(manifest),
    describeRun(step),
    listDigests(manifest),
  ];
}

function describeBatch(step: StepResult): readonly Block[] {
  const sorted = sortScans(step.scans);
  const shown = sorted.slice(0, MAX_ROWS);
  const others = sorted.slice(MAX_ROWS);
  const groups = groupFailures(step);
  const more = groups.length - MAX_FAILURES;
  return [
    `### ${ICONS[step.result]} Scan uploads: ${countResults(step.scans)}`,
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
  const counts = RANKS.map((result) => {
    const count = scans.filter((scan) => scan.result === result).length;
    return count === 0 ? '' : `${count} ${RESULT_WORDS[result]}`;
  });
  return counts.filter((text) => text !== '').join(', ');
}

/** Describes the failure of a group; one that other scans caused is one line. */
function describeGroup({ failure, scans }: FailureGroup): readonly string[] {
  const who = escapeWords(showText(listLabels(scans)));
  if (failure.isFollowing === true) {
    return [`${who}: ${escapeWords(showText(failure.headline))}`];
  }
  const { result } = scans[0] ?? { result: 'not-sent' };
  return [`**${RESULT_WORDS[result]}**: ${who}`, ...describeFailure(failure)];
}

function describeFailure({ headline, details, advice, traces }: Failure): readonly string[] {
  const text = showText([headline, ...details, ...traces].join('\n'));
  if (advice.length === 0) return [fence(text)];
  const list = advice.map((line) => `- ${escapeWords(showText(line))}`);
  return [fence(text), `**How to fix it**\n\n${list.join('\n')}`];
}

function explainSkip({ result, scans }: StepResult): Block {
  if (result !== 'skipped') return undefined;
  return escapeWords(showText(scans[0]?.skipped ?? '`scans` has no entries.'));
}

function listWarnings(manifest: readonly ManifestEntry[]): Block {
  const warnings = new Set(manifest.flatMap((entry) => entry.warnings));
  if (warnings.size === 0) return undefined;
  return [...warnings].map((text) => `- ${WARNED} ${escapeWords(showText(text))}`).join('\n');
}

function describeRun({ scans, origin, durationMs }: StepResult): string {
  const [scan] = scans.length === 1 ? scans : [];
  const attempts = scans.reduce((sum, each) => sum + each.attempts, 0);
  const facts = [
    scan?.scanKey === undefined ? undefined : `scan key ${escapeCode(scan.scanKey)}`,
    scan?.operation === undefined ? undefined : escapeCode(scan.operation),
    attempts === 0 ? undefined : countAttempts(attempts),
    formatDuration(durationMs),
    origin === undefined ? undefined : escapeCode(showText(origin)),
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

function listDigests(manifest: readonly ManifestEntry[]): Block {
  return fold('Digests (SHA256)', describeDigests(manifest));
}

/** The scan keys by which people find the scans in the service, and the digests of their files. */
function listScanKeys(scans: readonly ScanResult[]): Block {
  const lines = scans.flatMap((scan) =>
    scan.scanKey === undefined
      ? []
      : [
          [
            `${showLabel(scan)}: ${escapeCode(scan.scanKey)}`,
            ...describeDigests(scan.manifest),
          ].join(', '),
        ],
  );
  return fold('Scan keys and digests (SHA256)', lines);
}

function describeDigests(manifest: readonly ManifestEntry[]): readonly string[] {
  return manifest.flatMap(({ part, sha256 }) =>
    sha256 === undefined ? [] : [`${part}: \`${sha256}\``],
  );
}

/** A list that is shown only if a reader opens it. */
function fold(title: string, lines: readonly string[]): Block {
  if (lines.length === 0) return undefined;
  const list = lines.map((line) => `- ${line}`).join('\n');
  return `<details><summary>${title}</summary>\n\n${list}\n\n</details>`;
}
