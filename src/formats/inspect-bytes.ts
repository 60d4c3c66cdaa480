import { isUtf8 } from 'node:buffer';
import { endsLikeJson, findLaterJson, parseDocuments } from '../json-syntax.ts';
import { listLines } from '../text.ts';
import { END_LENGTH, conclude, isJson } from './content.ts';
import type { Content, Sample } from './content.ts';
import { inspectJson } from './inspect-json.ts';
import { inspectXml, isPage } from './inspect-xml.ts';
import type { KindName } from './kinds.ts';
import { findFormat } from './registry.ts';

/** Recognises a file by all of its bytes, or by the beginning and end of a large one. */
export function inspectBytes(bytes: Buffer, tail?: Buffer, size = bytes.length): Content {
  const isWhole = tail === undefined;
  // The beginning of a large file may end inside a character, which `stream` leaves out.
  const text = new TextDecoder().decode(bytes, { stream: !isWhole });
  const inspected = isWhole ? 'full' : 'partial';
  if (isWhole && text.trim() === '') {
    const problem = size === 0 ? 'is empty (0 bytes)' : 'contains only white space';
    return { format: 'empty', inspected, kind: 'empty', problem };
  }
  const sample = { text, tail: tail?.toString(), size };
  const content =
    inspectJson(sample) ?? inspectXml(sample) ?? inspectText(bytes, sample, inspected);
  const isSbom = findFormat(content.format) === undefined && looksLikeSbom(text);
  return conclude({
    ...content,
    // XML may have another encoding.
    invalidByte: isWhole && isJson(content) ? findInvalidByte(bytes) : undefined,
    role: isSbom ? 'SBOM' : content.role,
  });
}

/** Where the first byte is that is not UTF-8; undefined if all are. */
function findInvalidByte(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined;
  const valid = Buffer.from(bytes.toString());
  const different = valid.findIndex((byte, index) => byte !== bytes[index]);
  // What is not UTF-8 became U+FFFD, whose first bytes may be the same.
  return valid.lastIndexOf('\uFFFD', different);
}

/** The version that SPDX in a syntax other than JSON states near its beginning. */
const SPDX_VERSION = /^(?:SPDXVersion|spdxVersion): *["']?(SPDX-[\d.]{1,32})/m;

/** Recognises a file that is neither JSON nor XML. SPDX as tags with values or in YAML is not parsed. */
function inspectText(bytes: Buffer, sample: Sample, inspected: Content['inspected']): Content {
  const { text } = sample;
  const kind = findTextKind(bytes, sample);
  const [, specVersion] = SPDX_VERSION.exec(text.slice(0, END_LENGTH)) ?? [];
  if (kind !== 'text' || specVersion === undefined) return { format: 'unknown', inspected, kind };
  return { format: 'spdx', specVersion, inspected: 'partial' };
}

/** How much of a file's beginning decides what it is, if it is neither JSON nor XML. */
const KIND_LENGTH = 1024;
/** An escape sequence that sets a colour. The pattern of node:util takes hours for some texts. */
const COLOR = /\p{Cc}\[[\d;]*m/gu;
/** The line by which JavaScript gives a name to the JSON after it. */
const SCRIPT = /^[\w$. ]+=$/;

/** What a file is that is neither JSON nor XML, by its first bytes and its text. */
function findTextKind(bytes: Buffer, { text, tail = text }: Sample): KindName {
  const digits = bytes.toString('hex', 0, 4);
  if (digits.startsWith('1f8b')) return 'gzip';
  if (digits === '504b0304') return 'zip';
  // A byte order mark.
  if (digits.startsWith('fffe') || digits.startsWith('feff')) return 'utf-16';
  if (text.startsWith('version https://git-lfs.github.com/')) return 'lfs';
  const head = text.trimStart().slice(0, KIND_LENGTH);
  if (isPage(head)) return 'html';
  if (head.includes('\0')) return 'nul';
  // U+FFFD stands for bytes that are not UTF-8.
  if (head.includes('\uFFFD')) return 'binary';
  const plain = text.replaceAll(COLOR, '');
  if (plain !== text && parseDocuments(plain).error === undefined) return 'colored';
  const at = findLaterJson(plain);
  if (at < 0) return 'text';
  const before = listLines(plain.slice(0, Math.min(at, END_LENGTH)));
  // JSON after comments is YAML.
  if (before.every((line) => line.startsWith('#'))) return 'text';
  if (!endsLikeJson(tail)) return 'around';
  return SCRIPT.test(before.join('\n')) ? 'script' : 'mixed';
}

/** What SBOMs of formats that are not known have: package URLs, or the namespaces of SWID, SPDX or CycloneDX. */
const SBOM_SIGN =
  /\bpkg:[a-z][\w.+-]*\/|[<:]SoftwareIdentity\s|\bspdx\.org\/(?:rdf|spdxdocs)|\bcyclonedx\.org\/(?:bom|schema)/i;
/** What reports have, whatever they find. */
const REPORT_SIGN =
  /severity|vulnerabilit|\bCVE-\d|\bCWE-\d|\bGHSA-|cvss|\bfinding|\bviolation|"matches"/i;

/** Whether a text of no known format is rather an SBOM than a report. */
function looksLikeSbom(text: string): boolean {
  return SBOM_SIGN.test(text) && !REPORT_SIGN.test(text);
}
