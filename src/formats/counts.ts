import type { Facts } from './content.ts';
import type { FindingRows, Layout, Level, Mark, Path, Rows } from './format.ts';
import { MAX_COUNTED, listTexts, lookUp } from './lookup.ts';
import type { Budget } from './lookup.ts';
import { countNone, findWorst } from './severity.ts';
import type { Severity, SeverityCounts } from './severity.ts';

/** A document that is counted. */
interface Counted {
  readonly document: unknown;
  readonly budget: Budget;
  /** The severity of each rule that states one, by id. */
  readonly rules: Map<string, Severity>;
  /** The level of each rule that states one, by id. */
  readonly levels: Map<string, Severity>;
}

/** Counts components, vulnerabilities and findings; undefined if there is more to visit than in any scan. */
export function readCounts(layout: Layout, document: unknown): Facts | undefined {
  const budget = { left: MAX_COUNTED };
  const counted: Counted = { document, budget, rules: new Map(), levels: new Map() };
  readRules(layout, counted);
  const components = layout.components?.flatMap((rows) => listRows(rows, counted)).length;
  const { findings, vulnerabilities: listed } = layout;
  const hasList = listed !== undefined && lookUp(document, listed.list).some(isContainer);
  const kinds = findings ?? (hasList ? [listed] : undefined);
  const found = kinds?.flatMap((rows) => listSeverities(rows, counted));
  const severities = countSeverities(kinds ?? [], found ?? []);
  if (budget.left < 0) return undefined;
  return {
    ...(components !== undefined && { components }),
    ...(found !== undefined && { [findings ? 'findings' : 'vulnerabilities']: found.length }),
    ...(severities !== undefined && { severities }),
  };
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** The rows that meet the conditions of `where`, are not ignored and not the same as an earlier one. */
function listRows(rows: Rows, { document, budget }: Counted): readonly unknown[] {
  const { each, where = [], ignored, distinct } = rows;
  const seen = new Set<string>();
  return lookUp(document, each, budget).filter((row) => {
    // Nothing is counted then, and even short visits of very many rows take seconds.
    if (budget.left < 0) return false;
    const meets = ({ at, is }: Required<Mark>): boolean =>
      is.test(listTexts(row, at, budget)[0] ?? '');
    if (!where.every(meets) || isIgnored(row, ignored, budget)) return false;
    if (distinct === undefined) return true;
    const [text = ''] = listTexts(row, distinct, budget);
    return seen.size < seen.add(text).size;
  });
}

function isIgnored(row: unknown, ignored: Rows['ignored'], budget: Budget): boolean {
  if (ignored === undefined || lookUp(row, ignored.by, budget).length === 0) return false;
  const { at, is } = ignored.unless;
  return !listTexts(row, at, budget).some((text) => is.test(text));
}

/** The severity of each finding. */
function listSeverities(rows: FindingRows, counted: Counted): readonly Severity[] {
  return listRows(rows, counted).map((row) => findSeverity(rows, row, counted));
}

/** The counts by severity; undefined if these kinds of findings state none. */
function countSeverities(
  kinds: readonly FindingRows[],
  severities: readonly Severity[],
): SeverityCounts | undefined {
  const isRated = kinds.some(
    ({ severity, level, isSeverityOptional = false }) =>
      (severity ?? level) !== undefined && !isSeverityOptional,
  );
  if (!isRated && severities.every((severity) => severity === 'unknown')) return undefined;
  const counts = countNone();
  for (const severity of severities) counts[severity] += 1;
  return counts;
}

function findSeverity(
  { severity, words = {}, rule = [], level }: FindingRows,
  row: unknown,
  { budget, rules, levels }: Counted,
): Severity {
  const texts = severity === undefined ? [] : listTexts(row, severity, budget);
  const stated = texts.map((text) => (Object.hasOwn(words, text) ? (words[text] ?? '') : text));
  const id = rule.flatMap((at) => listTexts(row, at, budget)).find((text) => text !== '') ?? '';
  const ruled = rules.get(id);
  if (ruled !== undefined) return findWorst([...stated, ruled]);
  return findWorst(level === undefined ? stated : [findLevel(level, row, levels.get(id), budget)]);
}

function findLevel(
  { at, none, otherwise }: Level,
  row: unknown,
  ruled: Severity | undefined,
  budget: Budget,
): string {
  const stated = listTexts(row, at, budget)[0] ?? ruled;
  if (stated !== undefined) return stated;
  return listTexts(row, none.at, budget).some((text) => none.is.test(text)) ? 'none' : otherwise;
}

/** Reads the severity and the level of each rule that states one; the worst if several rules have the same id. */
function readRules({ rules = [] }: Layout, counted: Counted): void {
  for (const { each, id, severity, level } of rules) {
    for (const row of lookUp(counted.document, each, counted.budget)) {
      keepWorst(row, id, severity, counted.rules, counted.budget);
      if (level !== undefined) keepWorst(row, id, level, counted.levels, counted.budget);
    }
  }
}

function keepWorst(
  row: unknown,
  id: Path,
  at: Path,
  known: Map<string, Severity>,
  budget: Budget,
): void {
  const [text] = listTexts(row, at, budget);
  const severity = findWorst(text === undefined ? [] : [text]);
  if (severity === 'unknown') return;
  for (const key of listTexts(row, id, budget)) {
    known.set(key, findWorst([known.get(key) ?? 'unknown', severity]));
  }
}
