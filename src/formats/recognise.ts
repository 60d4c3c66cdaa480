import type { Content, Inspected } from './content.ts';
import { readCounts } from './counts.ts';
import { hasMarks, readFailure, readStatements } from './facts.ts';
import type { Format, Layout } from './format.ts';
import { FORMATS } from './registry.ts';
import type { KnownName } from './registry.ts';

/** How many values of a stream are compared; reports that were appended to a file are among the first. */
const MAX_COMPARED = 10;

/** A format and its layout in one syntax. */
interface Recognised {
  readonly format: Format & { readonly name: KnownName };
  readonly layout: Layout;
}

/**
 * Recognises the format of a document (a value of JSON.parse, or an XML tree) and reads what it states.
 * Its contents are counted if `isCounted`; if they are too many, it counts as partially inspected.
 */
export function describeDocument(
  syntax: 'json' | 'xml',
  document: unknown,
  inspected: Inspected,
  isCounted: boolean,
): Content {
  const recognised = recognise(syntax, document);
  if (recognised === undefined) return { format: syntax, syntax, inspected };
  const { format, layout } = recognised;
  const fault = readFailure(format.label, layout, document);
  const counts = isCounted && fault === undefined ? readCounts(layout, document) : {};
  return {
    format: format.name,
    syntax,
    ...readStatements(format.label, layout, document),
    ...counts,
    inspected: counts === undefined ? 'partial' : inspected,
    ...(fault !== undefined && { fault }),
  };
}

/**
 * Recognises the format of a stream as that of the list of its values, or, if two of them are documents of
 * a format that is no stream, as that format. Then nothing is counted.
 */
export function describeStream(
  values: readonly unknown[],
  inspected: Inspected,
  isCounted: boolean,
): Content {
  const repeated = findRepeated(values);
  const content =
    repeated === undefined
      ? describeDocument('json', values, inspected, isCounted && inspected === 'full')
      : { ...describeDocument('json', repeated, inspected, false), isRepeated: true as const };
  return { ...content, syntax: 'ndjson' };
}

/** The first value that has the same format as another one, unless the format is a stream of values. */
function findRepeated(values: readonly unknown[]): unknown {
  const seen = new Map<Format, unknown>();
  for (const value of values.slice(0, MAX_COMPARED)) {
    const format = recognise('json', value)?.format;
    if (format === undefined || format.isStream === true) continue;
    if (seen.has(format)) return seen.get(format);
    seen.set(format, value);
  }
  return undefined;
}

function recognise(syntax: 'json' | 'xml', document: unknown): Recognised | undefined {
  for (const format of FORMATS) {
    const { [syntax]: layout } = format;
    if (layout !== undefined && hasMarks(layout, document)) return { format, layout };
  }
  return undefined;
}
