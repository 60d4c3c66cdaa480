import type { Facts } from './content.ts';
import type { FindingRows, Layout, Rows } from './format.ts';
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
}

/** Counts components, vulnerabilities and findings; undefined if there is more to visit than in any scan. */
export function readCounts(layout: Layout, document: unknown): Facts | undefined {
  const counted: Counted = { document, budget: { left: MAX_COUNTED }, rules: new Map() };
  readRules(layout, counted);
  const components = layout.components?.flatMap((rows) => listRows(rows, counted)).length;
  const vulnerabilities = layout.vulnerabilities?.flatMap((rows) => listSeverities(rows, counted));
  const findings = layout.findings?.flatMap((rows) => listSeverities(rows, counted));
  const severities = countSeverities(layout, counted, vulnerabilities ?? findings ?? []);
  if (counted.budget.left < 0) return undefined;
  return {
    ...(components !== undefined && { components }),
    ...(vulnerabilities !== undefined && { vulnerabilities: vulnerabilities.length }),
    ...(findings !== undefined && { findings: findings.length }),
    ...(severities !== undefined && { severities }),
  };
}

/** The rows that meet the conditions of `where`. */
function listRows({ each, where = [] }: Rows, { document, budget }: Counted): readonly unknown[] {
  return lookUp(document, each, budget).filter((row) =>
    where.every(({ at, is }) => is.test(listTexts(row, at, budget)[0] ?? '')),
  );
}

/** The severity of each finding. */
function listSeverities(rows: FindingRows, counted: Counted): readonly Severity[] {
  return listRows(rows, counted).map((row) => findSeverity(rows, row, counted));
}

/** The counts by severity; undefined if neither the format nor a rule of the document states severities. */
function countSeverities(
  { vulnerabilities = [], findings = [] }: Layout,
  { rules }: Counted,
  severities: readonly Severity[],
): SeverityCounts | undefined {
  const kinds = [...vulnerabilities, ...findings];
  if (rules.size === 0 && kinds.every(({ severity }) => severity === undefined)) return undefined;
  const counts = countNone();
  for (const severity of severities) counts[severity] += 1;
  return counts;
}

function findSeverity(
  { severity, rule = [] }: FindingRows,
  row: unknown,
  { budget, rules }: Counted,
): Severity {
  const stated = severity === undefined ? [] : listTexts(row, severity, budget);
  const ids = rule.flatMap((at) => listTexts(row, at, budget));
  const ruled = rules.get(ids.find((id) => id !== '') ?? '');
  return findWorst(ruled === undefined ? stated : [...stated, ruled]);
}

/** Reads the severity of each rule that states one; the worst if several rules have the same id. */
function readRules({ rules = [] }: Layout, { document, budget, rules: known }: Counted): void {
  for (const rows of rules) {
    for (const row of lookUp(document, rows.each, budget)) {
      const [text] = listTexts(row, rows.severity, budget);
      if (text === undefined) continue;
      const severity = findWorst([text]);
      for (const id of listTexts(row, rows.id, budget)) {
        known.set(id, findWorst([known.get(id) ?? 'unknown', severity]));
      }
    }
  }
}
