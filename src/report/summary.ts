import { errorMessage } from '../errors.ts';
import { nameResult } from '../outcomes/failure.ts';
import { ICONS, RANKED, toWords } from '../outcomes/results.ts';
import type { ResultName } from '../outcomes/results.ts';
import {
  getResult,
  groupFailures,
  listLabels,
  listParts,
  sortScans,
} from '../outcomes/scan-result.ts';
import type { ScanResult, StepResult } from '../outcomes/scan-result.ts';
import { countOf, cutWhole, formatDuration } from '../text.ts';
import { appendFile } from './log.ts';
import type { Log } from './log.ts';
import { WARNED, writeCode, writeFold, writeList, writeSentence } from './markdown.ts';
import { describeGroup } from './summary-failures.ts';
import { listFacts, listFileRows, listScanRows } from './summary-rows.ts';
import { countScans, describeFindings, describeRevision, listMarks } from './words.ts';

/** GitHub refuses a summary of more than 1 MiB: its lists have at most so many bytes together. */
const MAX_LISTS_BYTES = 1000 * 1024;
/** The longest marks and line breaks around a text of a list, in bytes. */
const SPACING_BYTES = 4;
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
  const said = listWarnings(scans, ({ warnings = [] }) => warnings, writeCode);
  const isMarked =
    said.length > 0 ||
    step.repeats.length > 0 ||
    scans.flatMap(listParts).some((part) => listMarks(part).length > 0);
  const room = new Room();
  const shown = {
    said: room.take(said),
    failures: room.take(failures),
    rows: [...room.take(rows.slice(0, -1)), ...rows.slice(-1)],
    items: room.take(listItems(scans, step.repeats)),
    facts: room.take(scans.flatMap((scan) => listFacts(scan, only !== undefined))),
  };
  const blocks = [
    `### ${ICONS[getResult(step)]} ${writeSentence(makeTitle(step))}${isMarked ? ` ${WARNED}` : ''}`,
    describeRun(step),
    writeList(shown.said),
    ...shown.failures,
    step.scans.length === 0 && step.failure === undefined ? '`scans` has no entries.' : '',
    [heading, align, ...shown.rows].join('\n').trim(),
    writeList(shown.items),
    room.isWhole ? '' : MORE,
    writeFold(makeFoldTitle(step), writeList(shown.facts)),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

/** The room of a summary, which its lists share. */
class Room {
  #bytes = MAX_LISTS_BYTES;
  /** Whether all texts had room. */
  isWhole = true;

  /** The first texts, as many as half of the room that is left has room for. */
  take(texts: readonly string[]): readonly string[] {
    const least = this.#bytes / 2;
    const taken = texts.filter((text) => {
      this.#bytes -= Buffer.byteLength(text) + SPACING_BYTES;
      return this.#bytes >= least;
    });
    this.#bytes = Math.max(this.#bytes, least);
    if (taken.length < texts.length) this.isWhole = false;
    return taken;
  }
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

/** Why scans were skipped, what the service says of others, and warnings of files, each once. */
function listItems(scans: readonly ScanResult[], repeats: readonly string[]): readonly string[] {
  const skipped = new Set(scans.flatMap((scan) => scan.skipped ?? []));
  // Of several scans, the log and the file of results have what the service says of each.
  const said = new Set(scans.length === 1 ? scans[0]?.says : []);
  return [
    ...Array.from(skipped, (text) => writeSentence(cutItem(text))),
    ...Array.from(said, (text) => `The service says: ${writeCode(cutItem(text))}`),
    ...repeats.map((text) => `${WARNED} ${writeSentence(cutItem(text))}`),
    ...listWarnings(scans, listFileWarnings, writeSentence),
  ];
}

function listFileWarnings(scan: ScanResult): readonly string[] {
  return listParts(scan).flatMap(({ warnings = [] }) => warnings);
}

/** Each warning of scans once, after the names of its scans if there are several. */
function listWarnings(
  scans: readonly ScanResult[],
  find: (scan: ScanResult) => readonly string[],
  write: (text: string) => string,
): readonly string[] {
  const found = new Map<string, ScanResult[]>();
  for (const scan of scans) {
    for (const text of new Set(find(scan))) found.set(text, [...(found.get(text) ?? []), scan]);
  }
  return Array.from(found, ([text, warned]) => {
    const names = scans.length === 1 ? '' : `${writeCode(listLabels(warned))}: `;
    return `${WARNED} ${names}${write(cutItem(text))}`;
  });
}

/** Cuts an item, but never in a word: what the author wrote may contain a secret that nobody else knows. */
function cutItem(text: string): string {
  return cutWhole(text, MAX_ITEM_CHARACTERS);
}
