import { END_LENGTH } from './content.ts';
import type { Content, Inspected, Kind } from './content.ts';
import { isPage } from './inspect-xml.ts';

/** The version that SPDX in a syntax other than JSON states near its beginning. */
const SPDX_VERSION = /^(?:SPDXVersion|spdxVersion): *["']?(SPDX-[\d.]+)/m;

/** Recognises a file that is neither JSON nor XML. SPDX as tags with values or in YAML is not parsed. */
export function inspectText(bytes: Buffer, text: string, inspected: Inspected): Content {
  const kind = findKind(bytes, text);
  const [, specVersion] = SPDX_VERSION.exec(text.slice(0, END_LENGTH)) ?? [];
  if (kind !== 'text' || specVersion === undefined) return { format: 'unknown', inspected, kind };
  return { format: 'spdx', specVersion, inspected: 'partial' };
}

/** How much of a file's beginning decides what it is, if it is neither JSON nor XML. */
const KIND_LENGTH = 1024;
/** JSON that begins in a later line, after what a tool wrote to its error output. */
const JSON_LATER = /\n(?:\{\s*"|\[\s*[{\]])/;

/** What a file is that is neither JSON nor XML, by its first bytes and its text. */
function findKind(bytes: Buffer, text: string): Kind {
  const digits = bytes.toString('hex', 0, 4);
  if (digits.startsWith('1f8b')) return 'gzip';
  if (digits === '504b0304') return 'zip';
  // A byte order mark.
  if (digits.startsWith('fffe') || digits.startsWith('feff')) return 'utf-16';
  if (text.startsWith('version https://git-lfs.github.com/')) return 'lfs';
  const head = text.trimStart().slice(0, KIND_LENGTH);
  if (isPage(head)) return 'html';
  // U+FFFD stands for bytes that are not UTF-8.
  if (head.includes('\0') || head.includes('\uFFFD')) return 'binary';
  if (head.includes('\u001B[')) return 'colored';
  return JSON_LATER.test(text) ? 'mixed' : 'text';
}

/** What SBOMs of formats that are not known have: package URLs, or the namespaces of SWID, SPDX or CycloneDX. */
const SBOM_SIGN =
  /\bpkg:[a-z][\w.+-]*\/|[<:]SoftwareIdentity\s|\bspdx\.org\/(?:rdf|spdxdocs)|\bcyclonedx\.org\/(?:bom|schema)/i;
/** What reports have, whatever they find. */
const REPORT_SIGN =
  /severity|vulnerabilit|\bCVE-\d|\bCWE-\d|\bGHSA-|cvss|\bfinding|\bviolation|"matches"/i;

/** Whether a text of no known format is rather an SBOM than a report. */
export function looksLikeSbom(text: string): boolean {
  return SBOM_SIGN.test(text) && !REPORT_SIGN.test(text);
}
