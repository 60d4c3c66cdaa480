import { errorMessage } from '../errors.ts';
import { nameResult } from '../outcomes/failure.ts';
import { ICONS, RANKED, toWords } from '../outcomes/results.ts';
import type { ResultName } from '../outcomes/results.ts';
import { getResult, groupFailures, listParts, sortScans } from '../outcomes/scan-result.ts';
import type { ScanResult, StepResult } from '../outcomes/scan-result.ts';
import { countOf, cutWhole, formatDuration } from '../text.ts';
import { appendFile } from './log.ts';
import type { Log } from './log.ts';
import { WARNED, writeCode, writeFold, writeList, writeSentence } from './markdown.ts';
import { describeGroup } from './summary-failures.ts';
import { listFacts, listFileRows, listScanRows } from './summary-rows.ts';
import { countScans, describeFindings, describeRevision, listMarks } from './words.ts';

/** GitHub refuses a summary of more than 1 MiB. Failures, rows and folded facts have at most so many bytes each. */
const MAX_LIST_BYTES = 300 * 1024;
/** The most reasons for skipping, words of the service and warnings, and the length of each. */
const MAX_ITEMS = 100;
const MAX_ITEM_CHARACTERS = 300;
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
  const scans = sortScans(step.scans);
  const [only] = scans.length === 1 ? scans : [];
  const failures = groupFailures(step).map((group) => describeGroup(group, only === undefined));
  const [heading = '', align = '', ...rows] = only ? listFileRows(only) : listScanRows(scans);
  const facts = scans.flatMap((scan) => listFacts(scan, only !== undefined));
  const items = listItems(scans, step.repeats);
  const isMarked =
    step.repeats.length > 0 || scans.flatMap(listParts).some((part) => listMarks(part).length > 0);
  const shown = { failures: fit(failures), rows: fit(rows), facts: fit(facts) };
  const isWhole =
    items.length <= MAX_ITEMS &&
    shown.failures.length + shown.rows.length + shown.facts.length ===
      failures.length + rows.length + facts.length;
  const blocks = [
    `### ${ICONS[getResult(step)]} ${writeSentence(makeTitle(step))}${isMarked ? ` ${WARNED}` : ''}`,
    describeRun(step),
    ...shown.failures,
    step.scans.length === 0 && step.failure === undefined ? '`scans` has no entries.' : '',
    [heading, align, ...shown.rows].join('\n').trim(),
    writeList(items.slice(0, MAX_ITEMS)),
    isWhole ? '' : MORE,
    writeFold(makeFoldTitle(step), writeList(shown.facts)),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

/** The last text, which may be a row of sums, and before it as many as fit beside it in MAX_LIST_BYTES. */
function fit(texts: readonly string[]): readonly string[] {
  let room = MAX_LIST_BYTES - Buffer.byteLength(texts.at(-1) ?? '');
  return texts.filter((text, index) => {
    if (index === texts.length - 1) return true;
    room -= Buffer.byteLength(text);
    return room > 0;
  });
}

/** The result of the only scan, or of the step itself, and of a success the findings. */
function makeTitle(step: StepResult): string {
  const { scans } = step;
  const [scan] = scans;
  const result = getResult(step);
  if (scans.length > 1) return makeTitleOfMany(scans, result);
  if (result === 'dry-run') return 'Dry run: nothing was uploaded';
  if (result === 'accepted') return `Scan upload accepted: ${describeFindings(countScans(scans))}`;
  return `Scan upload ${nameResult(result, (scan ?? step).failure?.reason, scan?.status)}`;
}

/** The findings if all scans were accepted, else how many have which result. */
function makeTitleOfMany(scans: readonly ScanResult[], worst: ResultName): string {
  const { length } = scans;
  if (worst === 'dry-run') return `Dry run of ${length} scans: nothing was uploaded`;
  if (worst !== 'accepted') return `Scan uploads: ${countResults(scans)}`;
  return `${length} scan uploads accepted: ${describeFindings(countScans(scans))}`;
}

/** `2 rejected, 28 accepted`. */
function countResults(scans: readonly ScanResult[]): string {
  const counts = RANKED.flatMap((rank) => {
    const { length } = scans.filter(({ result }) => result === rank);
    return length === 0 ? [] : [`${length} ${toWords(rank)}`];
  });
  return counts.join(', ');
}

/** What the step ran for, the key of a single scan, and the service. */
function describeRun({ scans, revision }: StepResult): string {
  const [scan] = scans.length === 1 ? scans : [];
  const { service = '' } = scans.find((each) => each.service !== undefined) ?? {};
  const facts = [
    revision && writeSentence(describeRevision(revision)),
    scan?.entry.scanKey && `scan key ${writeCode(scan.entry.scanKey)}`,
    writeCode(service),
  ];
  return facts.filter((fact) => fact !== undefined && fact !== '').join(' · ');
}

/** `Operation, size, digest (SHA-256), 1 attempt, 59 ms`. */
function makeFoldTitle({ scans, durationMs }: StepResult): string {
  const attempts = scans.reduce((sum, { attempts: each = 0 }) => sum + each, 0);
  const [scan] = scans;
  const took = scans.length === 1 ? (scan?.durationMs ?? durationMs) : durationMs;
  const facts =
    scans.length === 1
      ? 'Operation, sizes, digests (SHA256)'
      : 'Files, scan keys, digests (SHA256)';
  return attempts === 0
    ? facts
    : `${facts}, ${countOf(attempts, 'attempt')}, ${formatDuration(took)}`;
}

/** Why scans were skipped, what the service says of others, and warnings, each once. */
function listItems(scans: readonly ScanResult[], repeats: readonly string[]): readonly string[] {
  const skipped = new Set(scans.flatMap((scan) => scan.skipped ?? []));
  // Of several scans, the log and the file of results have what the service says of each.
  const said = new Set(scans.length === 1 ? scans[0]?.says : []);
  const files = scans.flatMap(listParts).flatMap(({ warnings = [] }) => warnings);
  const found = new Set([...repeats, ...files]);
  const warned = new Set(scans.flatMap(({ warnings = [] }) => warnings));
  return [
    ...Array.from(skipped, (text) => writeSentence(cutItem(text))),
    ...Array.from(said, (text) => `The service says: ${writeCode(cutItem(text))}`),
    ...Array.from(found, (text) => `${WARNED} ${writeSentence(cutItem(text))}`),
    ...Array.from(warned, (text) => `${WARNED} ${writeCode(cutItem(text))}`),
  ];
}

/** Cuts an item, but never in a word: what the author wrote may contain a secret that nobody else knows. */
function cutItem(text: string): string {
  return cutWhole(text, MAX_ITEM_CHARACTERS);
}
