import { errorMessage } from '../errors.ts';
import { ICONS, toWords } from '../outcomes/results.ts';
import { getResult, groupFailures, listLabels, sortScans } from '../outcomes/scan-result.ts';
import type { ScanResult, StepResult } from '../outcomes/scan-result.ts';
import { cutWhole, joinTexts } from '../text.ts';
import { appendFile } from './log.ts';
import type { Log } from './log.ts';
import { WARNED, writeCode, writeFold, writeList, writeSentence } from './markdown.ts';
import { describeGroup } from './summary-failures.ts';
import { listFacts, listFileRows, listScanRows } from './summary-rows.ts';
import { makeTitle } from './title.ts';
import { listShown, listShownMarks, nameMarks } from './words.ts';

/** GitHub refuses more than 1 MiB: all lists have at most so many bytes. */
const MAX_LISTS_BYTES = 1000 * 1024;
/** The marks and line breaks around a text of a list, in bytes. */
const SPACING_BYTES = 4;
const MAX_ITEM_CHARACTERS = 300;
const FOLD = 'Scan keys, attempts, files, digests (SHA256)';
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
  const failures = groupFailures(step).map(describeGroup);
  const [heading = '', align = '', ...rows] = only ? listFileRows(only) : listScanRows(scans);
  const said = listWarnings(scans, ({ warnings = [] }) => warnings, writeCode);
  const marks = nameMarks(scans.flatMap(listShown));
  const isMarked = [...said, ...step.repeats, ...marks].length > 0;
  const room = new Room();
  const shown = {
    said: room.take(said),
    failures: room.take(failures),
    rows: [...room.take(rows.slice(0, -1)), ...rows.slice(-1)],
    items: room.take(listItems(scans, step.repeats, only)),
    facts: room.take(scans.flatMap(listFacts)),
  };
  const blocks = [
    `### ${ICONS[getResult(step)]} ${writeSentence(makeTitle(step))}${isMarked ? ` ${WARNED}` : ''}`,
    describeRun(step, only),
    writeList(shown.said),
    ...shown.failures,
    step.scans.length === 0 && step.failure === undefined ? '`scans` has no entries.' : '',
    [heading, align, ...shown.rows].join('\n').trim(),
    writeList(shown.items),
    room.isWhole ? '' : MORE,
    writeFold(FOLD, writeList(shown.facts)),
  ];
  return joinTexts(blocks, '\n\n');
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

/** What the step ran for, the key of a single scan, and the service. */
function describeRun({ scans, revision }: StepResult, only: ScanResult | undefined): string {
  const { scanKey = '' } = only?.entry ?? {};
  const facts = [
    writeSentence(revision?.text ?? ''),
    scanKey === '' ? '' : `scan key ${writeCode(scanKey)}`,
    writeCode(scans.find(({ service }) => service)?.service ?? ''),
  ];
  return joinTexts(facts, ' · ');
}

/** Why scans were skipped, what the service says of a single one, and warnings of files, each once. */
function listItems(
  scans: readonly ScanResult[],
  repeats: readonly string[],
  only: ScanResult | undefined,
): readonly string[] {
  const skipped = new Set(scans.flatMap((scan) => scan.skipped ?? []));
  const said = new Set(only?.says);
  return [
    ...Array.from(skipped, (text) => writeSentence(cutItem(text))),
    ...Array.from(said, (text) => `The service says: ${writeCode(cutItem(text))}`),
    ...repeats.map((text) => `${WARNED} ${writeSentence(cutItem(text))}`),
    ...listWarnings(scans, listFileWarnings, writeSentence),
  ];
}

/** The warnings of a scan's files, and marks that say more than their names in a table. */
function listFileWarnings(scan: ScanResult): readonly string[] {
  return listShown(scan).flatMap((part) => {
    const marks = listShownMarks(part).filter(({ name, text }) => text !== toWords(name));
    return [...(part.warnings ?? []), ...marks.map(({ text }) => text)];
  });
}

/** Each warning of scans once, after the names of those that have it. */
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
    const names = writeCode(listLabels(warned));
    return `${WARNED} ${joinTexts([names, write(cutItem(text))], ': ')}`;
  });
}

/** Cuts an item, but never in a word: what the author wrote may contain a secret that nobody else knows. */
function cutItem(text: string): string {
  return cutWhole(text, MAX_ITEM_CHARACTERS);
}
