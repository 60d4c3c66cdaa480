import type { Content, Inspected } from './content.ts';
import { readCounts } from './counts.ts';
import { hasMarks, readStatements } from './facts.ts';
import { FORMATS } from './registry.ts';

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
  for (const { name, label, [syntax]: layout } of FORMATS) {
    if (layout !== undefined && hasMarks(layout, document)) {
      const counts = isCounted ? readCounts(layout, document) : {};
      return {
        format: name,
        syntax,
        ...readStatements(label, layout, document),
        ...counts,
        inspected: counts === undefined ? 'partial' : inspected,
      };
    }
  }
  return { format: syntax, syntax, inspected };
}
