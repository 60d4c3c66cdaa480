import { splitLines } from '../text.ts';
import { isFilePath } from './text-file.ts';

/**
 * The shortest value that is masked besides the token. The runner drops every job output that
 * contains a masked value, so that masking a header's `true` would lose `uploaded=true`.
 */
const MIN_MASKED_CHARACTERS = 8;

/** A header is a credential if its name contains one of these words, separated by hyphens. */
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
/** This header identifies a request and is not secret, although its name contains `key`. */
const NO_CREDENTIAL = 'idempotency-key';

/** Whether a header's name says that its value is a credential. */
export function isCredentialHeader(name: string): boolean {
  const lowerCase = name.trim().toLowerCase();
  if (lowerCase === NO_CREDENTIAL) return false;
  return lowerCase.split('-').some((word) => CREDENTIAL_WORDS.has(word));
}

/**
 * Lists the credentials in the texts of `token`, `headers` and `client-key`, even if these inputs are
 * invalid. Each entry is a single line that is not blank, because the runner masks line by line. The
 * values of other headers are not listed, because the runner masks a text in the whole job.
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
 * Lists the parts of the credentials in `token`, `token-prefix` and `headers` that a service may repeat:
 * values without scheme, names and quotes (`Token token="..."`), and the decoded Basic credential. They may
 * be common words, so they are removed from texts but not masked in the whole job.
 */
export function listSecretParts(token: string, prefix: string, headers: string): readonly string[] {
  const values = listLines(headers).filter(isSecretLine).map(cutName);
  const texts = [prefix, ...listLines(token), ...values];
  return listParts(texts, [`${prefix} ${token}`, ...values]);
}

/** Lists the values of headers that are not credentials, to be removed only from texts of the service. */
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

/** Whether a line may contain a secret; a line without a colon is not a header, and may be a pasted one. */
function isSecretLine(line: string): boolean {
  const colon = line.indexOf(':');
  return colon < 0 || isCredentialHeader(line.slice(0, colon));
}

function cutName(line: string): string {
  return line.slice(line.indexOf(':') + 1);
}

/** The decoded Basic credential (RFC 7617): user name with password, and the password alone. */
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
 * The whole value of a credential header, and the parts that may be repeated alone: the text after the
 * scheme (`Basic dXNlcg==`), or the value of each cookie.
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

/** RFC 6265, section 4.2.1: `name=value; name=value`; a value may be in quotes. */
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
