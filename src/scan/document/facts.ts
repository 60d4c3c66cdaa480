import { joinWhiteSpace } from '../../text.ts';
import type { Facts } from '../content/content.ts';
import type { Collector, RowGroup, RowTexts } from './collector.ts';
import type { FindingRows, Layout, Mark, Path, Rows, TextAt, ToolRows } from '../formats/format.ts';
import { countNone, findWorst } from '../formats/severity.ts';
import type { Severity, SeverityCounts } from '../formats/severity.ts';

/** A document has one tool or two; what names more is not listed to its end. */
const MAX_TOOLS = 3;

/** Whether a document has what a format is known by. */
export function hasMarks({ marks }: Layout, document: Collector): boolean {
  return marks.some((all) => all.every((mark) => hasMark(mark, document)));
}

/** The version and the tools that a document states, as far as it was read, each as one line. */
export function readStatements(label: string, layout: Layout, document: Collector): Facts {
  const specVersion = findFirst(layout.specVersion ?? [], (at) => document.listTexts(at)[0]);
  const tools = (layout.tools ?? []).flatMap((rows) => listTools(rows, label, document));
  return {
    ...(specVersion !== undefined && { specVersion: joinWhiteSpace(specVersion) }),
    ...(tools.length > 0 && {
      tool: joinWhiteSpace([...new Set(tools)].slice(0, MAX_TOOLS).join(', ')),
    }),
  };
}

/** How much there is in a document that was read whole. */
export function readCounts(layout: Layout, document: Collector): Facts {
  const { components, vulnerabilities, findings } = layout;
  const severities = countSeverities(layout, document);
  return {
    ...(components !== undefined && { components: countRows(components, document) }),
    ...(vulnerabilities !== undefined && { vulnerabilities: countRows(vulnerabilities, document) }),
    ...(findings !== undefined && { findings: countRows(findings, document) }),
    ...(severities !== undefined && { severities }),
  };
}

function hasMark({ at, is }: Mark, document: Collector): boolean {
  return is === undefined ? document.has(at) : document.listTexts(at).some((text) => is.test(text));
}

function findFirst(
  wanted: readonly TextAt[],
  read: (at: Path) => string | undefined,
): string | undefined {
  for (const { at, match } of wanted) {
    const text = read(at);
    const found = match === undefined ? text : match.exec(text ?? '')?.[1];
    if (found !== undefined && found !== '') return found;
  }
  return undefined;
}

function getText(texts: RowTexts, path: Path | undefined): string | undefined {
  return texts.find(([at]) => at === path)?.[1];
}

function listTools(rows: ToolRows, label: string, document: Collector): readonly string[] {
  return document.listGroups(rows).flatMap(({ texts }) => {
    const find = (wanted: readonly TextAt[]): string | undefined =>
      findFirst(wanted, (at) => getText(texts, at));
    const version = find((rows.version ?? []).map((at) => ({ at })));
    if (rows.name === undefined) return version === undefined ? [] : [`${label} ${version}`];
    const name = find([rows.name]);
    if (name === undefined) return [];
    return [version === undefined ? name : `${name} ${version}`];
  });
}

/** The rows that count, those with the same texts together. */
function listCounted(rows: Rows, document: Collector): readonly RowGroup[] {
  const { where = [] } = rows;
  return document
    .listGroups(rows)
    .filter(({ texts }) => where.every(({ at, is }) => is.test(getText(texts, at) ?? '')));
}

function countRows(kinds: readonly Rows[], document: Collector): number {
  return kinds
    .flatMap((rows) => listCounted(rows, document))
    .reduce((sum, { count }) => sum + count, 0);
}

/** Undefined where the format, or no rule of the document, states any. */
function countSeverities(layout: Layout, document: Collector): SeverityCounts | undefined {
  const kinds = [...(layout.vulnerabilities ?? []), ...(layout.findings ?? [])];
  const rules = readRules(layout, document);
  if (rules.size === 0 && kinds.every(({ severity }) => severity === undefined)) return undefined;
  const counts = countNone();
  for (const rows of kinds) {
    for (const { texts, count } of listCounted(rows, document)) {
      counts[findSeverity(rows, texts, rules)] += count;
    }
  }
  return counts;
}

function findSeverity(
  { severity, rule = [] }: FindingRows,
  texts: RowTexts,
  rules: ReadonlyMap<string, Severity>,
): Severity {
  const stated = listTexts(texts, severity);
  const id = findFirst(
    rule.map((at) => ({ at })),
    (at) => getText(texts, at),
  );
  const ruled = rules.get(id ?? '');
  return findWorst(ruled === undefined ? stated : [...stated, ruled]);
}

/** The severity of each rule that states one, by its ids; of two runs' rules of one id the worst. */
function readRules(layout: Layout, document: Collector): ReadonlyMap<string, Severity> {
  const severities = new Map<string, Severity>();
  for (const rows of layout.rules ?? []) {
    for (const { texts } of document.listGroups(rows)) {
      const severity = getText(texts, rows.severity);
      if (severity === undefined) continue;
      for (const id of listTexts(texts, rows.id)) {
        severities.set(id, findWorst([severities.get(id) ?? 'unknown', severity]));
      }
    }
  }
  return severities;
}

function listTexts(texts: RowTexts, path: Path | undefined): readonly string[] {
  return texts.filter(([at]) => at === path).map(([, text]) => text);
}
