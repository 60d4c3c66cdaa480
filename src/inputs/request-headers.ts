import { InputError } from '../errors.ts';
import type { Credential } from '../service/auth.ts';
import { isFieldValue, splitLines } from '../text.ts';

/** One extra request header. */
export interface Header {
  readonly name: string;
  readonly value: string;
}

/** The characters of a field name (RFC 9110, section 5.6.2). */
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Headers that frame the message, control the connection or are set by the action; one that ends in `-` is a prefix. */
const RESERVED =
  'accept-encoding connection content- expect host keep-alive proxy- te traceparent trailer transfer-encoding upgrade';

/** Checks `token-header`: the name of a header that is not reserved. Throws an InputError. */
export function parseTokenHeader(text: string): string {
  if (!FIELD_NAME.test(text)) {
    throw new InputError('`token-header` must be the name of a header alone, such as X-Api-Key.');
  }
  if (!isReserved(text)) return text;
  throw new InputError(`\`token-header\` must not be ${text}: the action sets it.`);
}

/**
 * Reads `headers`, one `Name: value` in each line that is not blank. None may have the name of the credential's header.
 * In a dry run values may be empty, and their headers are left out. Throws an InputError with one fault for each invalid
 * line, which names the header and never its value.
 */
export function parseHeaders(
  text: string,
  credential: Credential,
  dryRun: boolean,
): readonly Header[] {
  const tokenHeader = credential.kind === 'none' ? undefined : credential.header.toLowerCase();
  const headers: Header[] = [];
  const faults: string[] = [];
  for (const [index, line] of splitLines(text).entries()) {
    if (line.trim() === '') continue;
    const header = splitHeader(line);
    const fault = findFault(header, tokenHeader, dryRun);
    if (fault !== undefined) faults.push(`\`headers\`, line ${index + 1}: ${fault}.`);
    if (header.value !== '') headers.push(header);
  }
  if (faults.length > 0) throw new InputError(faults);
  return headers;
}

/** Splits a line into name and value, without white space around them. Without a colon the name is empty. */
export function splitHeader(line: string): Header {
  const colon = line.indexOf(':');
  return { name: line.slice(0, Math.max(colon, 0)).trim(), value: line.slice(colon + 1).trim() };
}

function isReserved(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED.split(' ').some((each) => {
    return each.endsWith('-') ? lower.startsWith(each) : lower === each;
  });
}

function findFault(
  { name, value }: Header,
  tokenHeader: string | undefined,
  dryRun: boolean,
): string | undefined {
  if (!FIELD_NAME.test(name)) return 'not of the form "Name: value"';
  if (isReserved(name)) return `${name} must not be set: the action sets it`;
  if (name.toLowerCase() === tokenHeader) {
    return `${name} carries the token: use \`token\`, with \`token-prefix\` for its scheme`;
  }
  if (value === '') return dryRun ? undefined : `${name} has no value (an empty secret?)`;
  return isFieldValue(value) ? undefined : `${name} has a character that a header cannot carry`;
}
