import { splitLines } from '../text.ts';

/**
 * The shortest value that is masked besides the token. The runner drops every job output that
 * contains a masked value, so that masking a header's `true` would lose `uploaded=true`.
 */
const MIN_MASKED_CHARACTERS = 8;

/**
 * Lists the secrets in the texts of `token`, `headers` and `client-key`, also in texts that will be
 * refused as inputs: single lines, none of them blank. A token or key of several lines is masked line
 * by line, as the runner masks.
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
 * Lists what a service may repeat of the secrets in the texts of `token`, `token-prefix` and
 * `headers`: what is left of a value without its scheme, names and quotes (`Token token="..."`), and
 * what a Basic credential says decoded. Too common to be masked in the whole job, so that it is only
 * kept out of the action's own words.
 */
export function listSecretParts(token: string, prefix: string, headers: string): readonly string[] {
  const values = listLines(headers).map((line) => line.slice(line.indexOf(':') + 1));
  const texts = [prefix, ...listLines(token), ...values];
  const decoded = [`${prefix} ${token}`, ...values].flatMap(decodeBasic);
  const parts = [...texts, ...decoded].flatMap((text) => [text.trim(), ...text.split(/[\s,;="]+/)]);
  return [...new Set(parts.filter(isMaskable))];
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
 * A header's whole value, and the parts of it that may be echoed alone: what follows a scheme
 * (`Basic dXNlcg==`), the value of each cookie. A line without a colon is refused later; until then
 * it may be a secret as a whole.
 */
function listHeaderSecrets(line: string): readonly string[] {
  const colon = line.indexOf(':');
  const value = line.slice(colon + 1).trim();
  const isCookie = line.slice(0, Math.max(colon, 0)).trim().toLowerCase() === 'cookie';
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
  if (!clientKey.includes('-----BEGIN ')) return [];
  return listLines(clientKey).filter((line) => !line.startsWith('-----') && isMaskable(line));
}
