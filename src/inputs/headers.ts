import { InputError } from '../errors.ts';
import type { Header } from '../service/settings.ts';
import { isFieldValue, splitLines } from '../text.ts';
import { mayBeEmpty } from './fields.ts';

/** RFC 9110, section 5.6.2: the characters of a field name. */
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Headers that frame the message, control the connection or are set by the action. */
const RESERVED = new Set([
  'accept-encoding',
  'connection',
  'expect',
  'host',
  'keep-alive',
  'te',
  'traceparent',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A header name for `token-header`: a field name that is not reserved. Throws an InputError. */
export function parseHeaderName(input: string, text: string): string {
  if (!FIELD_NAME.test(text)) throw new InputError(`\`${input}\` is not a valid header name.`);
  if (isReserved(text))
    throw new InputError(`\`${input}\` must not be ${text}: the action sets it.`);
  return text;
}

/**
 * Reads `headers`: one `Name: value` per line, blank lines ignored. `tokenHeader` is the header that
 * carries the credential, if there is one. The messages name lines and header names, never values.
 * Throws an InputError with one problem for each invalid line.
 */
export function parseHeaders(text: string, tokenHeader: string | undefined): readonly Header[] {
  const headers = new Map<string, Header>();
  const problems: string[] = [];
  for (const [index, line] of splitLines(text).entries()) {
    if (line.trim() === '') continue;
    const header = parseLine(line);
    const problem = findProblem(header, headers, tokenHeader);
    if (problem !== undefined) problems.push(`\`headers\`, line ${index + 1}: ${problem}.`);
    else if (header !== undefined) headers.set(header.name.toLowerCase(), header);
  }
  if (problems.length > 0) throw new InputError(problems);
  // A dry run may have empty ones.
  return [...headers.values()].filter(({ value }) => value !== '');
}

function parseLine(line: string): Header | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon).trim();
  if (colon < 0 || !FIELD_NAME.test(name)) return undefined;
  return { name, value: line.slice(colon + 1).trim() };
}

function findProblem(
  header: Header | undefined,
  earlier: ReadonlyMap<string, Header>,
  tokenHeader: string | undefined,
): string | undefined {
  if (header === undefined) return 'not of the form "Name: value"';
  const { name, value } = header;
  const lower = name.toLowerCase();
  if (isReserved(name)) return `${name} must not be set: the action sets it`;
  if (lower === tokenHeader?.toLowerCase()) return `${name} carries the token: use \`token\``;
  if (earlier.has(lower)) return `${name} is set twice`;
  if (value === '') return mayBeEmpty() ? undefined : `${name} has no value (an empty secret?)`;
  if (!isFieldValue(value)) return `${name} has a character that a header cannot carry`;
  return undefined;
}

function isReserved(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED.has(lower) || lower.startsWith('content-') || lower.startsWith('proxy-');
}
