import type { Content, Inspected } from './content.ts';
import { hasMarks, readCounts, readStatements } from './facts.ts';
import { FORMATS } from './registry.ts';

/**
 * What a document is and says of itself, of a value that JSON.parse made or of an XML tree. Its
 * contents are counted if `isCounted`; where they are too many, it counts as partially inspected.
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
