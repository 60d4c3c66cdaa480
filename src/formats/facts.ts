import { joinWhiteSpace } from '../text.ts';
import type { Facts } from './content.ts';
import type { Layout, Mark, TextAt, ToolRows } from './format.ts';
import { listTexts, lookUp } from './lookup.ts';

/** A document usually has one tool or two; further ones are not listed. */
const MAX_TOOLS = 3;

/** Names that many tools have, such as `cli` of npm. */
const GENERIC_NAME = /^(?:cli|core|plugin|sbom|scanner)$/i;

/** Whether a document has the marks that identify a format. */
export function hasMarks({ marks }: Layout, document: unknown): boolean {
  return marks.some((all) => all.every((mark) => hasMark(mark, document)));
}

/** The problem of a document that says that the scan failed; undefined if it does not. */
export function readFailure(label: string, layout: Layout, document: unknown): string | undefined {
  const failure = findText(layout.failure ?? [], document);
  if (failure === undefined) return undefined;
  return `says that ${label} failed: ${joinWhiteSpace(failure).replace(/\.$/, '')}`;
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

function hasMark({ at, is }: Mark, document: unknown): boolean {
  if (is === undefined) return lookUp(document, at).length > 0;
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
  const { each, name, vendor, version = [] } = rows;
  return lookUp(document, each).flatMap((row) => {
    const found = findText(
      version.map((at) => ({ at })),
      row,
    );
    if (name === undefined) return found === undefined ? [] : [`${label} ${found}`];
    const named = findText([name], row);
    if (named === undefined) return [];
    const maker =
      vendor !== undefined && GENERIC_NAME.test(named)
        ? findText([{ at: vendor }], row)
        : undefined;
    return [[maker, named, found].filter((text) => text !== undefined).join(' ')];
  });
}
