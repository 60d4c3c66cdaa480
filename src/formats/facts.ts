import { joinWhiteSpace } from '../text.ts';
import type { Facts } from './content.ts';
import type { FindingRows, Layout, Mark, Path, Rows, TextAt, ToolRows } from './format.ts';
import { MAX_VALUES, listTexts, lookUp } from './lookup.ts';
import { countNone, findWorst } from './severity.ts';
import type { Severity, SeverityCounts } from './severity.ts';

/** A document usually has one tool or two; further ones are not listed. */
const MAX_TOOLS = 3;

/** Whether a document has the marks that identify a format. */
export function hasMarks({ marks }: Layout, document: unknown): boolean {
  return marks.some((all) => all.every((mark) => hasMark(mark, document)));
}

/** The version and the tools that a document states, each as one line. */
export function readStatements(label: string, layout: Layout, document: unknown): Facts {
  const specVersion = findText(layout.specVersion ?? [], document);
  const tools = (layout.tools ?? []).flatMap((rows) => listTools(rows, label, document));
  return {
    ...(specVersion !== undefined && { specVersion: joinWhiteSpace(specVersion) }),
    ...(tools.length > 0 && {
      tool: joinWhiteSpace([...new Set(tools)].slice(0, MAX_TOOLS).join(', ')),
    }),
  };
}

/** Counts components, vulnerabilities and findings; undefined if there are too many to count within two seconds. */
export function readCounts(layout: Layout, document: unknown): Facts | undefined {
  const { components, vulnerabilities, findings, rules = [] } = layout;
  const all = [components, vulnerabilities, findings, rules].flatMap((kinds) => kinds ?? []);
  const rows = all.map(({ each }) => lookUp(document, each)?.length ?? Infinity);
  if (rows.reduce((sum, count) => sum + count, 0) > MAX_VALUES) return undefined;
  const severities = countSeverities(layout, document);
  return {
    ...(components !== undefined && { components: countRows(components, document) }),
    ...(vulnerabilities !== undefined && { vulnerabilities: countRows(vulnerabilities, document) }),
    ...(findings !== undefined && { findings: countRows(findings, document) }),
    ...(severities !== undefined && { severities }),
  };
}

function hasMark({ at, is }: Mark, document: unknown): boolean {
  if (is === undefined) return (lookUp(document, at) ?? []).length > 0;
  return listTexts(document, at).some((text) => is.test(text));
}

/** The first of the wanted texts that exists. */
function findText(wanted: readonly TextAt[], value: unknown): string | undefined {
  for (const { at, match } of wanted) {
    const [text = ''] = listTexts(value, at);
    const found = match === undefined ? text : match.exec(text)?.[1];
    if (found !== undefined && found !== '') return found;
  }
  return undefined;
}

function listTools(rows: ToolRows, label: string, document: unknown): readonly string[] {
  return (lookUp(document, rows.each) ?? []).flatMap((row) => {
    const version = findText(
      (rows.version ?? []).map((at) => ({ at })),
      row,
    );
    if (rows.name === undefined) return version === undefined ? [] : [`${label} ${version}`];
    const name = findText([rows.name], row);
    if (name === undefined) return [];
    return [version === undefined ? name : `${name} ${version}`];
  });
}

/** The rows that meet the conditions of `where`. */
function listCounted({ each, where = [] }: Rows, document: unknown): readonly unknown[] {
  return (lookUp(document, each) ?? []).filter((row) =>
    where.every(({ at, is }) => is.test(listTexts(row, at)[0] ?? '')),
  );
}

function countRows(kinds: readonly Rows[], document: unknown): number {
  return kinds.reduce((sum, rows) => sum + listCounted(rows, document).length, 0);
}

/** The counts by severity; undefined if neither the format nor a rule of the document states severities. */
function countSeverities(layout: Layout, document: unknown): SeverityCounts | undefined {
  const kinds = [...(layout.vulnerabilities ?? []), ...(layout.findings ?? [])];
  const rules = readRules(layout, document);
  if (rules.size === 0 && kinds.every(({ severity }) => severity === undefined)) return undefined;
  const counts = countNone();
  for (const rows of kinds) {
    for (const row of listCounted(rows, document)) counts[findSeverity(rows, row, rules)] += 1;
  }
  return counts;
}

function findSeverity(
  { severity, rule = [] }: FindingRows,
  row: unknown,
  rules: ReadonlyMap<string, Severity>,
): Severity {
  const stated = listTextsAt(severity, row);
  const id = findText(
    rule.map((at) => ({ at })),
    row,
  );
  const ruled = rules.get(id ?? '');
  return findWorst(ruled === undefined ? stated : [...stated, ruled]);
}

/** The severity of each rule that states one, by id; the worst if several rules have the same id. */
function readRules(layout: Layout, document: unknown): ReadonlyMap<string, Severity> {
  const severities = new Map<string, Severity>();
  for (const rows of layout.rules ?? []) {
    for (const row of lookUp(document, rows.each) ?? []) {
      const [severity] = listTexts(row, rows.severity);
      if (severity === undefined) continue;
      for (const id of listTexts(row, rows.id)) {
        severities.set(id, findWorst([severities.get(id) ?? 'unknown', severity]));
      }
    }
  }
  return severities;
}

function listTextsAt(path: Path | undefined, row: unknown): readonly string[] {
  return path === undefined ? [] : listTexts(row, path);
}
