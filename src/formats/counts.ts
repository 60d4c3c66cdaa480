import { isObject } from '../json.ts';
import type { Facts } from './content.ts';
import type { FindingRows, Layout, Level, Rows } from './format.ts';
import { MAX_COUNTED, findText, listTexts, lookUp } from './lookup.ts';
import type { Budget } from './lookup.ts';
import { findWorst } from './severity.ts';
import type { Severity, SeverityCounts } from './severity.ts';

/** A document that is counted. */
interface Counted {
  readonly document: unknown;
  readonly budget: Budget;
  /** The severity of each rule that states one, by id. */
  readonly severities: Map<string, Severity>;
  /** The level of each rule that states one, by id. */
  readonly levels: Map<string, Severity>;
}

/** Counts components, vulnerabilities and findings; undefined if there is more to visit than in any scan. */
export function readCounts(layout: Layout, document: unknown): Facts | undefined {
  const budget = { left: MAX_COUNTED };
  const counted: Counted = { document, budget, severities: new Map(), levels: new Map() };
  readRules(layout, counted);
  const components = layout.components?.flatMap((rows) => listRows(rows, counted)).length;
  const kinds = layout.findings ?? listVulnerabilities(layout, document);
  const found = kinds?.flatMap((rows) =>
    listRows(rows, counted).map((row) => findSeverity(rows, row, counted)),
  );
  const severities = countSeverities(kinds ?? [], found ?? []);
  if (budget.left < 0) return undefined;
  return {
    ...(components !== undefined && { components }),
    ...(found !== undefined && {
      [layout.findings === undefined ? 'vulnerabilities' : 'findings']: found.length,
    }),
    ...(severities !== undefined && { severities }),
  };
}

/** The vulnerabilities of a document that has a list of them, even an empty one. */
function listVulnerabilities(
  { vulnerabilities }: Layout,
  document: unknown,
): readonly FindingRows[] | undefined {
  if (vulnerabilities === undefined) return undefined;
  const list = vulnerabilities.each.slice(0, vulnerabilities.each.lastIndexOf('/'));
  return lookUp(document, list).some(isObject) ? [vulnerabilities] : undefined;
}

/** The rows that meet the conditions of `where`, are not ignored and not the same as an earlier one. */
function listRows(rows: Rows, { document, budget }: Counted): readonly unknown[] {
  const { each, where = [], ignored, distinct } = rows;
  const seen = new Set<string>();
  return lookUp(document, each, budget).filter((row) => {
    // Nothing is counted then, and even short visits of very many rows take seconds.
    if (budget.left < 0) return false;
    const isMet = where.every(({ at, is }) => is.test(listTexts(row, at, budget)[0] ?? ''));
    if (!isMet || isIgnored(row, ignored, budget)) return false;
    if (distinct === undefined) return true;
    const [text = ''] = listTexts(row, distinct, budget);
    return seen.size < seen.add(text).size;
  });
}

function isIgnored(row: unknown, ignored: Rows['ignored'], budget: Budget): boolean {
  if (ignored === undefined || lookUp(row, ignored.by, budget).length === 0) return false;
  return listTexts(row, ignored.unless, budget).length === 0;
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
  const counts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
  for (const severity of severities) counts[severity] += 1;
  return counts;
}

function findSeverity(
  { severity, words = {}, rule = [], level }: FindingRows,
  row: unknown,
  { budget, severities, levels }: Counted,
): Severity {
  const texts = severity === undefined ? [] : listTexts(row, severity, budget);
  const stated = texts.map((text) => (Object.hasOwn(words, text) ? (words[text] ?? '') : text));
  const id = findText(row, rule, budget) ?? '';
  const ruled = severities.get(id);
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
  return listTexts(row, none, budget).length > 0 ? 'none' : otherwise;
}

/** Reads the severity and the level of each rule that states one; the worst if several rules have the same id. */
function readRules(
  { rules = [] }: Layout,
  { document, budget, severities, levels }: Counted,
): void {
  for (const { each, id, severity, level } of rules) {
    for (const row of lookUp(document, each, budget)) {
      const ids = listTexts(row, id, budget);
      keepWorst(severities, ids, listTexts(row, severity, budget)[0]);
      if (level !== undefined) keepWorst(levels, ids, listTexts(row, level, budget)[0]);
    }
  }
}

function keepWorst(
  known: Map<string, Severity>,
  ids: readonly string[],
  stated: string | undefined,
): void {
  const severity = findWorst(stated === undefined ? [] : [stated]);
  if (severity === 'unknown') return;
  for (const id of ids) known.set(id, findWorst([known.get(id) ?? 'unknown', severity]));
}
