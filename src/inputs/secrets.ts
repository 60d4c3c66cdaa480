import { splitLines } from '../text.ts';
import { isFilePath } from './text-file.ts';

/**
 * The shortest value that is masked besides the token. The runner drops every job output that
 * contains a masked value, so that masking a header's `true` would lose `uploaded=true`.
 */
const MIN_MASKED_CHARACTERS = 8;

/** A header with one of these words in its name, between hyphens, is taken for a credential. */
const CREDENTIAL_WORDS: ReadonlySet<string> = new Set([
  'authorization',
  'auth',
  'cookie',
  'token',
  'key',
  'secret',
  'password',
  'pass',
  'credential',
  'jwt',
  'session',
  'signature',
]);
/** Its key names a request, and is no secret. */
const NO_CREDENTIAL = 'idempotency-key';

/** Whether a header's name says that its value is a credential. */
export function isCredentialHeader(name: string): boolean {
  const lowerCase = name.trim().toLowerCase();
  if (lowerCase === NO_CREDENTIAL) return false;
  return lowerCase.split('-').some((word) => CREDENTIAL_WORDS.has(word));
}

/**
 * Lists the credentials in the texts of `token`, `headers` and `client-key`, also in texts that will be
 * refused as inputs: single lines, none of them blank. A token or key of several lines is masked line
 * by line, as the runner masks. A masked text counts for the whole job, so that the values of other
 * headers are not listed.
 */
export function listSecrets(token: string, headers: string, clientKey: string): readonly string[] {
  return [
    ...new Set([
      ...listLines(token),
      ...listLines(headers).flatMap(listHeaderSecrets),
      ...listKeySecrets(clientKey),
    ]),
  ];
}

/**
 * Lists what a service may repeat of the credentials in `token`, `token-prefix` and `headers`: what is
 * left of a value without its scheme, names and quotes (`Token token="..."`), and what a Basic credential
 * says decoded. Too common to be masked in the whole job, so that it is only taken out of texts.
 */
export function listSecretParts(token: string, prefix: string, headers: string): readonly string[] {
  const values = listLines(headers).filter(isSecretLine).map(cutName);
  const texts = [prefix, ...listLines(token), ...values];
  return listParts(texts, [`${prefix} ${token}`, ...values]);
}

/** Lists the values of headers that are no credentials, which only a service's words must not show. */
export function listOtherValues(headers: string): readonly string[] {
  const values = listLines(headers)
    .filter((line) => !isSecretLine(line))
    .map(cutName);
  return listParts(values, values);
}

function listParts(texts: readonly string[], credentials: readonly string[]): readonly string[] {
  const all = [...texts, ...credentials.flatMap(decodeBasic)];
  const parts = all.flatMap((text) => [text.trim(), ...text.split(/[\s,;="]+/)]);
  return [...new Set(parts.filter(isMaskable))];
}

/** A line without a colon is no header, and may be a pasted secret. */
function isSecretLine(line: string): boolean {
  const colon = line.indexOf(':');
  return colon < 0 || isCredentialHeader(line.slice(0, colon));
}

function cutName(line: string): string {
  return line.slice(line.indexOf(':') + 1);
}

/** RFC 7617: the user's name and the password, and the password alone. */
function decodeBasic(text: string): readonly string[] {
  const encoded = /\bbasic\s+([\w+/=-]+)/i.exec(text)?.[1];
  if (encoded === undefined) return [];
  const decoded = Buffer.from(encoded, 'base64').toString();
  const colon = decoded.indexOf(':');
  return colon < 0 ? [] : [decoded, decoded.slice(colon + 1)];
}

/** Whether a value other than the token is long enough to be masked. */
export function isMaskable(value: string): boolean {
  return value.length >= MIN_MASKED_CHARACTERS;
}

function listLines(text: string): readonly string[] {
  return splitLines(text)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * A credential header's whole value, and the parts of it that may be echoed alone: what follows a
 * scheme (`Basic dXNlcg==`), the value of each cookie.
 */
function listHeaderSecrets(line: string): readonly string[] {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trim();
  if (!isCredentialHeader(name)) return [];
  const value = line.slice(colon + 1).trim();
  const isCookie = name.toLowerCase() === 'cookie';
  const credential = value.slice(value.lastIndexOf(' ') + 1);
  return [value, ...(isCookie ? listCookieValues(value) : [credential])].filter(isMaskable);
}

/** RFC 6265, section 4.2.1: `name=value; name=value`; a value may stand in quotes. */
function listCookieValues(cookies: string): readonly string[] {
  return cookies.split(';').map((pair) => {
    const value = pair.slice(pair.indexOf('=') + 1).trim();
    return value.replace(/^"(.*)"$/, '$1');
  });
}

function listKeySecrets(clientKey: string): readonly string[] {
  if (isFilePath(clientKey)) return [];
  return listLines(clientKey).filter((line) => !line.startsWith('-----') && isMaskable(line));
}
