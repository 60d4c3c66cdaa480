import type { Content, Sample } from './content.ts';

/** How much is searched for what every document states near its beginning, in UTF-16 code units. */
const HEAD = 64 * 1024;

/** SPDX 2 as tags with values, as YAML and as RDF in XML. */
const DOCUMENT =
  /^(?:SPDXVersion|spdxVersion): *["']?SPDX-|^SPDXID: *["']?SPDXRef-DOCUMENT|\sxmlns(?::\w+)?=["']https?:\/\/spdx\.org\/rdf\/terms#?["']/m;
const VERSION = /\b(?:SPDXVersion|spdxVersion)(?:>|: *["']?)(SPDX-[\d.]+)/;

/** Recognises SPDX in a syntax that is not parsed; any other content is returned as it is. */
export function recogniseSpdx({ text }: Sample, content: Content): Content {
  const head = text.slice(0, HEAD);
  const isOther = content.format === 'xml' || content.kind === 'text';
  if (!isOther || !DOCUMENT.test(head)) return content;
  const { kind: _kind, ...rest } = content;
  const specVersion = VERSION.exec(head)?.[1];
  const spdx = { ...rest, format: 'spdx', inspected: 'partial' } as const;
  return specVersion === undefined ? spdx : { ...spdx, specVersion };
}
