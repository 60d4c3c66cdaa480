import { InputError } from '../errors.ts';
import type { Credential, Header } from '../service/settings.ts';
import { isFieldValue, splitLines } from '../text.ts';

/** RFC 9110, section 5.6.2: the characters of a field name. */
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Headers that frame the message, control the connection or are set by the action. */
const RESERVED =
  /^(?:accept-encoding|connection|expect|host|keep-alive|te|traceparent|trailer|transfer-encoding|upgrade|content-.*|proxy-.*)$/i;

/** Checks `token-header`: the name of a header that is not reserved. Throws an InputError. */
export function parseTokenHeader(text: string): string {
  if (!FIELD_NAME.test(text)) {
    throw new InputError('`token-header` must be the name of a header alone, such as X-Api-Key.');
  }
  if (!RESERVED.test(text)) return text;
  throw new InputError(`\`token-header\` must not be ${text}: the action sets it.`);
}

/**
 * Reads `headers`: one `Name: value` per line, blank lines ignored. None may carry the credential too. A dry run may
 * have empty values, whose headers are left out. The messages name lines and header names, never values. Throws an
 * InputError with one problem for each invalid line.
 */
export function parseHeaders(
  text: string,
  credential: Credential,
  dryRun: boolean,
): readonly Header[] {
  const tokenHeader = credential.kind === 'none' ? undefined : credential.header;
  const headers: Header[] = [];
  const names = new Set<string>();
  const problems: string[] = [];
  for (const [index, line] of splitLines(text).entries()) {
    if (line.trim() === '') continue;
    const header = splitHeader(line);
    const problem = findProblem(header, names, tokenHeader, dryRun);
    if (problem !== undefined) problems.push(`\`headers\`, line ${index + 1}: ${problem}.`);
    names.add(header.name.toLowerCase());
    headers.push(header);
  }
  if (problems.length > 0) throw new InputError(problems);
  return headers.filter(({ value }) => value !== '');
}

/** Name and value of a line, both trimmed; a line without a colon has an empty name. */
export function splitHeader(line: string): Header {
  const colon = line.indexOf(':');
  return { name: line.slice(0, Math.max(colon, 0)).trim(), value: line.slice(colon + 1).trim() };
}

function findProblem(
  { name, value }: Header,
  earlier: ReadonlySet<string>,
  tokenHeader: string | undefined,
  dryRun: boolean,
): string | undefined {
  const lower = name.toLowerCase();
  if (!FIELD_NAME.test(name)) return 'not of the form "Name: value"';
  if (RESERVED.test(name)) return `${name} must not be set: the action sets it`;
  if (lower === tokenHeader?.toLowerCase()) {
    return `${name} carries the token: use \`token\`, with \`token-prefix\` for its scheme`;
  }
  if (earlier.has(lower)) return `${name} is set twice`;
  if (value === '') return dryRun ? undefined : `${name} has no value (an empty secret?)`;
  return isFieldValue(value) ? undefined : `${name} has a character that a header cannot carry`;
}
