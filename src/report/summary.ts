import { errorMessage } from '../errors.ts';
import { nameResult } from '../outcomes/failure.ts';
import { ICONS, RANKED, toWords } from '../outcomes/results.ts';
import {
  getResult,
  groupFailures,
  listLabels,
  listParts,
  sortScans,
} from '../outcomes/scan-result.ts';
import type { FailureGroup, ScanResult, StepResult } from '../outcomes/scan-result.ts';
import { countAttempts, cutWhole, formatDuration } from '../text.ts';
import { appendFile } from './log.ts';
import type { Log } from './log.ts';
import { writeCode, writeFence, writeList, writeSentence } from './markdown.ts';
import { WARNED, listRows, makeFileTable, showLabel } from './summary-table.ts';
import type { FileRow } from './summary-table.ts';

/** GitHub refuses a summary of more than 1 MiB: failures have half of it, rows and items, which are short, the rest. */
const MAX_FAILURES_BYTES = 512 * 1024;
/** The most rows of the table, and items of the list below it. */
const MAX_ROWS = 100;
const MAX_ITEM_CHARACTERS = 300;
const DOT = ' · ';
const MORE = 'There is more in the log, and in the file of the output `results-path`.';

/**
 * Adds to the job summary. If there is none (Gitea before 1.27, a terminal) or it cannot be written, this
 * is only logged, because the result of the upload does not depend on it.
 */
export function writeSummary(step: StepResult, log: Log): void {
  try {
    const { GITHUB_STEP_SUMMARY: path = '' } = process.env;
    if (path === '') throw new Error('GITHUB_STEP_SUMMARY is not set');
    appendFile(path, `${makeSummary(step)}\n`);
  } catch (error) {
    log.info(`No job summary was written: ${errorMessage(error)}`);
  }
}

/** The summary as GitHub-flavoured markdown, with foreign text as code. */
export function makeSummary(step: StepResult): string {
  const { scans } = step;
  const groups = groupFailures(step).map((group) => describeGroup(group, step));
  let room = MAX_FAILURES_BYTES;
  const failures = groups.filter((text) => {
    room -= Buffer.byteLength(text);
    return room > 0;
  });
  const rows = listRows(sortScans(scans));
  const items = listItems(scans);
  const shown = rows.slice(0, MAX_ROWS);
  const isListed = Math.max(rows.length, items.length) <= MAX_ROWS;
  const blocks = [
    `### ${ICONS[getResult(step)]} ${makeTitle(step)}`,
    ...failures,
    groups.length === 0 ? explainNothing(step) : '',
    makeFileTable(shown),
    writeList(items.slice(0, MAX_ROWS)),
    isListed && failures.length === groups.length ? '' : MORE,
    describeRun(step),
    foldFacts(shown),
  ];
  return joinBlocks(blocks);
}

function joinBlocks(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== '').join('\n\n');
}

/** Why scans were skipped, what the service says of others, and warnings, each once. */
function listItems(scans: readonly ScanResult[]): readonly string[] {
  const skipped = new Set(scans.flatMap((scan) => scan.skipped ?? []));
  const said = new Set(scans.flatMap(({ says = [] }) => says));
  const found = new Set(scans.flatMap(listParts).flatMap(({ warnings = [] }) => warnings));
  const warned = new Set(scans.flatMap(({ warnings = [] }) => warnings));
  return [
    ...Array.from(skipped, (text) => writeSentence(cutItem(text))),
    ...Array.from(said, (text) => `The service says: ${writeCode(cutItem(text))}`),
    ...Array.from(found, (text) => `${WARNED} ${writeSentence(cutItem(text))}`),
    ...Array.from(warned, (text) => `${WARNED} ${writeCode(cutItem(text))}`),
  ];
}

/** Never in a word: what the author wrote may contain a secret that nobody else knows. */
function cutItem(text: string): string {
  return cutWhole(text, MAX_ITEM_CHARACTERS);
}

function makeTitle(step: StepResult): string {
  const { scans, failure } = step;
  const [scan, second] = scans;
  if (second === undefined) {
    const { reason } = scan?.failure ?? failure ?? {};
    return `Scan upload ${nameResult(getResult(step), reason, scan?.status)}`;
  }
  const counts = RANKED.flatMap((rank) => {
    const { length } = scans.filter(({ result }) => result === rank);
    return length === 0 ? [] : [`${length} ${toWords(rank)}`];
  });
  return `Scan uploads: ${counts.join(', ')}`;
}

/** What happened in a fence, as others may have said it, and how to fix it. */
function describeGroup({ failure, scans }: FailureGroup, step: StepResult): string {
  const { title, headline, details, fixes, traces } = failure;
  const blocks = [
    step.scans.length > 1 ? `${writeSentence(title)}: ${writeCode(listLabels(scans))}` : '',
    writeFence([headline, ...details, traces.join(DOT)].filter((line) => line !== '').join('\n')),
    fixes.length === 0 ? '' : '**How to fix it**',
    writeList(fixes.map(writeSentence)),
  ];
  return joinBlocks(blocks);
}

/** Why nothing was uploaded, unless a list says why scans were skipped. */
function explainNothing({ scans }: StepResult): string {
  if (scans.length === 0) return '`scans` has no entries.';
  const isDryRun = scans.some(({ result }) => result === 'dry-run');
  return isDryRun ? 'Nothing was uploaded: `dry-run` is `true`.' : '';
}

function describeRun({ scans, durationMs }: StepResult): string {
  const [scan] = scans.length === 1 ? scans : [];
  const { service = '' } = scans.find((each) => each.service !== undefined) ?? {};
  const attempts = scans.reduce((sum, { attempts: each = 0 }) => sum + each, 0);
  const key = showKey(scan);
  const duration = formatDuration(scan?.durationMs ?? durationMs);
  const facts = [
    key === '' ? key : `scan key ${key}`,
    scan?.plan === undefined ? '' : writeCode(scan.plan.operation.name),
    attempts === 0 ? '' : `${countAttempts(attempts)} · ${duration}`,
    writeCode(service),
  ];
  return facts.filter((fact) => fact !== '').join(DOT);
}

/** The key by which people find a scan, as code. */
function showKey(scan: ScanResult | undefined): string {
  return writeCode(scan?.entry.scanKey ?? '');
}

/** The digests of the files, and of several scans their keys; folded. */
function foldFacts(rows: readonly FileRow[]): string {
  const lines = rows.flatMap(({ scan, part }) => {
    const digest = part?.file.digest && `${part.part.name}: \`${part.file.digest}\``;
    const facts = [showKey(scan), digest ?? ''].filter((fact) => fact !== '').join(', ');
    if (facts === '') return [];
    return [scan === undefined ? facts : `${showLabel(scan)}: ${facts}`];
  });
  if (lines.length === 0) return '';
  const title = rows[0]?.scan === undefined ? 'Digests (SHA256)' : 'Scan keys and digests (SHA256)';
  return `<details><summary>${title}</summary>\n\n${writeList(lines)}\n\n</details>`;
}
