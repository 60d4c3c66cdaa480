import type { Content } from '../content/content.ts';
import { Collector } from './collector.ts';
import { hasMarks, readCounts, readStatements } from './facts.ts';
import type { Place } from './place.ts';
import { plantPlaces } from './place-tree.ts';
import { FORMATS } from '../formats/registry.ts';

/** The languages that documents are written in. */
type Syntax = 'json' | 'xml';

/** Where the formats of each syntax have what is asked for; the same for all documents. */
const places = new Map<Syntax, Place>();

/** A collector of what tells the formats of this syntax apart. */
export function makeCollector(syntax: Syntax): Collector {
  const root = places.get(syntax) ?? plantPlaces(FORMATS.flatMap((format) => format[syntax] ?? []));
  places.set(syntax, root);
  return new Collector(root);
}

/** What a document is and says of itself; it is counted only if it was read whole. */
export function describeDocument(
  syntax: Syntax,
  document: Collector,
  isWhole: boolean,
): Omit<Content, 'inspected'> {
  for (const { name, label, [syntax]: layout } of FORMATS) {
    if (layout !== undefined && hasMarks(layout, document)) {
      return {
        format: name,
        syntax,
        ...readStatements(label, layout, document),
        ...(isWhole && readCounts(layout, document)),
      };
    }
  }
  return { format: syntax, syntax };
}
