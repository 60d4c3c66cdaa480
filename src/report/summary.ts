import { appendFileSync } from 'node:fs';
import { errorMessage } from '../errors.ts';
import { nameResult } from '../results/failure.ts';
import { getRow } from '../outcomes/situations.ts';
import type { Log } from './log.ts';
import { escapeCode, escapeWords, fence } from './markdown.ts';
import {
  getResult,
  getStatus,
  groupFailures,
  listLabels,
  listParts,
  sortScans,
} from '../results/scan-result.ts';
import { RANKED, RESULTS } from '../results/results.ts';
import type { FailureGroup, StepResult } from '../results/scan-result.ts';
import { WARNED, listRows, makeFileTable, showLabel } from './summary-table.ts';
import type { Row } from './summary-table.ts';
import { countAttempts, formatBytes, formatDuration } from '../units.ts';

/** How many rows the table shows; a job summary may have 1 MiB. */
const MAX_ROWS = 100;
const MAX_FAILURES = 5;
const MAX_LINES = 10;

const PUSH =
  'Re-runs use the original workflow and files: push a change of them to start a new run.';

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
    log.info(`No job summary was written: ${errorMessage(error)}`);
  }
}

/** The summary as GitHub-flavoured markdown, with foreign text as code. */
export function makeSummary(step: StepResult): string {
  const groups = groupFailures(step);
  const rows = listRows(sortScans(step.scans));
  const shown = rows.slice(0, MAX_ROWS);
  const accepted = step.scans.filter(({ result }) => result === 'accepted');
  const responses = accepted.flatMap(({ upload }) => upload?.last.response ?? []);
  const said = [...new Set(responses.flatMap(({ says }) => says))];
  const theirs = responses.flatMap((response) => response.warnings);
  const warnings = [...new Set([...rows.flatMap(({ part }) => part?.warnings ?? []), ...theirs])];
  return [
    `### ${RESULTS[getResult(step)].icon} ${makeTitle(step)}`,
    ...groups.slice(0, MAX_FAILURES).flatMap((group) => describeGroup(group, step)),
    countRest(groups, MAX_FAILURES, 'failure'),
    groups.length === 0 ? explainSuccess(step) : explainRerun(step, groups),
    makeFileTable(shown),
    countRest(rows, MAX_ROWS, 'row'),
    makeList(said.slice(0, MAX_LINES).map((text) => escapeWords(`The service says: ${text}`))),
    countRest(said, MAX_LINES, 'response'),
    makeList(warnings.slice(0, MAX_LINES).map((text) => `${WARNED} ${escapeWords(text)}`)),
    countRest(warnings, MAX_LINES, 'warning'),
    describeRun(step),
    foldFacts(shown),
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

function makeTitle(step: StepResult): string {
  const { scans, failure } = step;
  const [scan, second] = scans;
  if (second === undefined) {
    const status = scan && getStatus(scan);
    return `Scan upload ${nameResult(getResult(step), scan?.failure ?? failure, status)}`;
  }
  const counts = RANKED.flatMap((rank) => {
    const { length } = scans.filter(({ result }) => result === rank);
    return length === 0 ? [] : [`${length} ${RESULTS[rank].word}`];
  });
  return `Scan uploads: ${counts.join(', ')}`;
}

/** What happened in a fence, as others may have said it, and how to fix it. */
function describeGroup({ failure, scans }: FailureGroup, step: StepResult): readonly string[] {
  const { title, headline, details, fixes, traces } = failure;
  const ids = traces.length === 0 ? [] : [traces.join(' · ')];
  return [
    step.scans.length > 1 ? escapeWords(`${title}: ${listLabels(scans)}`) : '',
    fence([headline, ...details, ...ids].join('\n')),
    ...(fixes.length === 0 ? [] : ['**How to fix it**', makeList(fixes.map(escapeWords))]),
  ];
}

function makeList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** Says how many of a list are not shown; empty if all are. */
function countRest({ length }: readonly unknown[], shown: number, name: string): string {
  if (length <= shown) return '';
  const names = length - shown === 1 ? name : `${name}s`;
  return `And ${length - shown} more ${names}: see the log, or the output \`results-path\`.`;
}

/** Before a re-run of an unconfirmed upload the service is checked, as the fix says; secrets need no new run. */
function explainRerun({ scans }: StepResult, groups: readonly FailureGroup[]): string {
  const isOwn = groups.every(({ failure }) => getRow(failure.situation).needsPush);
  return isOwn && scans.every(({ result }) => result !== 'unconfirmed') ? PUSH : '';
}

/** What was uploaded, or why nothing was; with several scans the table says why some were skipped. */
function explainSuccess({ scans }: StepResult): string {
  const [scan, second] = scans;
  if (scan === undefined) return '`scans` has no entries.';
  const isDry = scans.some(({ result }) => result === 'dry-run');
  if (isDry) return 'Nothing was uploaded: `dry-run` is `true`.';
  const sent = scans.flatMap((each) => (each.result === 'accepted' ? listParts(each) : []));
  if (sent.length === 0) return second === undefined ? escapeWords(scan.skipped ?? '') : '';
  const bytes = sent.reduce((sum, { file }) => sum + file.size, 0);
  const files = sent.length === 1 ? '1 file' : `${sent.length} files`;
  return `Uploaded ${files} (${formatBytes(bytes)}).`;
}

function describeRun({ scans, origin = '', durationMs }: StepResult): string {
  const [scan] = scans.length === 1 ? scans : [];
  const attempts = scans.reduce((sum, { upload }) => sum + (upload?.attempts ?? 0), 0);
  const scanKey = scan?.entry.scanKey;
  const duration = formatDuration(scan?.durationMs ?? durationMs);
  const facts = [
    scanKey === undefined ? '' : `scan key ${escapeCode(scanKey)}`,
    escapeCode(scan?.plan?.operation.name ?? ''),
    attempts === 0 ? '' : `${countAttempts(attempts)} · ${duration}`,
    escapeCode(origin),
  ];
  return facts.filter((fact) => fact !== '').join(' · ');
}

/** The digests of the files, and of several scans the keys by which people find them; folded. */
function foldFacts(rows: readonly Row[]): string {
  const lines = rows.flatMap(({ scan, part }) => {
    const facts = [
      escapeCode(scan?.entry.scanKey ?? ''),
      part?.digest === undefined ? '' : `${part.part.name}: \`${part.digest}\``,
    ].filter((fact) => fact !== '');
    const who = scan === undefined ? '' : `${showLabel(scan)}: `;
    return facts.length === 0 ? [] : [`${who}${facts.join(', ')}`];
  });
  if (lines.length === 0) return '';
  const title = rows[0]?.scan === undefined ? 'Digests (SHA256)' : 'Scan keys and digests (SHA256)';
  return `<details><summary>${title}</summary>\n\n${makeList(lines)}\n\n</details>`;
}
