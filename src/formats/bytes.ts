import { isUtf8 } from 'node:buffer';
import type { Kind } from './content.ts';
import { isPage } from './xml.ts';

/** How much of a file's beginning decides what it is, if it is neither JSON nor XML. */
const KIND_LENGTH = 1024;
/** JSON that begins in a later line, after what a tool wrote to its error output. */
const JSON_LATER = /\n(?:\{\s*"|\[\s*[{\]])/;

/** What a file is that is neither JSON nor XML, by its first bytes and its text. */
export function findKind(bytes: Buffer, text: string): Kind {
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

/** Where the first byte is that is not UTF-8; undefined if all are. `text` is what they were decoded to. */
export function findInvalidByte(bytes: Buffer, text: string): number | undefined {
  if (isUtf8(bytes)) return undefined;
  const valid = Buffer.from(text);
  return bytes.findIndex((byte, index) => byte !== valid[index]);
}

/** What SBOMs of formats that are not known have: package URLs, or the namespaces of SWID, SPDX or CycloneDX. */
const SBOM =
  /\bpkg:[a-z][\w.+-]*\/|<(?:\w+:)?SoftwareIdentity\s|\bspdx\.org\/(?:rdf|spdxdocs)|\bspdx\.dev\/Document|\bcyclonedx\.org\/(?:bom|schema)/i;
/** What reports have, whatever they find. */
const REPORT =
  /severity|vulnerabilit|\bCVE-\d|\bCWE-\d|\bGHSA-|cvss|\bfinding|\bviolation|"matches"/i;

/** Whether a text of no known format is rather an SBOM than a report. */
export function looksLikeSbom(text: string): boolean {
  return SBOM.test(text) && !REPORT.test(text);
}
