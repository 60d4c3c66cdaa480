import { listLines } from '../text.ts';
import { isFilePath } from './text-file.ts';

/**
 * The shortest value that is masked besides the token. The runner drops every job output that
 * contains a masked value, so that masking a header's `true` would lose `uploaded=true`.
 */
const MIN_MASKED_CHARACTERS = 8;

/** A header's value is masked if its name contains one of these words, separated by hyphens. */
const CREDENTIAL_WORD =
  /(?:^|-)(?:authorization|auth|cookie|token|key|secret|password|pass|credential|jwt|session|signature)(?:-|$)/i;
/** A header's value may be a credential if its name contains one of these texts: `X-ApiKey`, `X-AuthToken`. */
const CREDENTIAL_PART =
  /auth|token|key|secret|\bpass\b|passw|pwd|credential|jwt|session|sig|cookie/i;
/** This header identifies a request and is not secret, although its name contains `key`. */
const NO_CREDENTIAL = 'idempotency-key';

/** Whether a header's name says that its value is a credential, which is masked in the whole job. */
export function isCredentialHeader(name: string): boolean {
  return mayBeCredential(name) && CREDENTIAL_WORD.test(name.trim());
}

/** Whether a header's value may be a credential, which is removed from all texts. */
function mayBeCredential(name: string): boolean {
  return name.trim().toLowerCase() !== NO_CREDENTIAL && CREDENTIAL_PART.test(name);
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
 * Lists what is removed from texts but not masked in the whole job, because it may be a common word: the
 * values of headers that may be credentials, and the parts of these, of `token` and of `token-prefix` that a
 * service may repeat, and the decoded Basic credential. A prefix of one word is the name of a scheme.
 */
export function listSecretParts(token: string, prefix: string, headers: string): readonly string[] {
  const values = listLines(headers)
    .filter(mayHaveSecret)
    .map((line) => line.slice(line.indexOf(':') + 1));
  const decoded = [`${prefix} ${token}`, ...values].flatMap(decodeBasic);
  const texts = [prefix.replace(/^[\w-]+$/, ''), ...listLines(token), ...values, ...decoded];
  return [...new Set(texts.flatMap(listParts).filter(isMaskable))];
}

/** A text, what is in quotes in it, and its words: of `name=value` the value, with and without padding. */
function listParts(text: string): readonly string[] {
  const quoted = [...text.matchAll(/"([^"]*)"/g)].map(([, inside = '']) => inside);
  const unnamed = text.replace(/(?<![^\s,;&])[^\s,;&="]+=(?=[^\s,;&=])/g, '');
  // The text after `|` is the secret of Laravel Sanctum's tokens.
  const words = unnamed.split(/[\s,;&"|]+/);
  return [text.trim(), ...quoted, ...words, ...words.map((word) => word.replace(/={1,2}$/, ''))];
}

/** Whether a line may contain a secret; a line without a colon is not a header, and may be a pasted one. */
function mayHaveSecret(line: string): boolean {
  const colon = line.indexOf(':');
  return colon < 0 || mayBeCredential(line.slice(0, colon));
}

/**
 * The decoded Basic credential: user name with password, and the password alone. Its charset is not known
 * (RFC 7617, section 2.1).
 */
function decodeBasic(text: string): readonly string[] {
  const encoded = /\bbasic\s+([\w+/=-]+)/i.exec(text)?.[1];
  if (encoded === undefined) return [];
  const bytes = Buffer.from(encoded, 'base64');
  return [bytes.toString(), bytes.toString('latin1')].flatMap((decoded) => {
    const colon = decoded.indexOf(':');
    return colon < 0 ? [] : [decoded, decoded.slice(colon + 1)];
  });
}

/** Whether a value other than the token is long enough to be masked. */
export function isMaskable(value: string): boolean {
  return value.length >= MIN_MASKED_CHARACTERS;
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
  if (name.toLowerCase() !== 'cookie') {
    return [value, value.slice(value.lastIndexOf(' ') + 1)].filter(isMaskable);
  }
  // RFC 6265, section 4.2.1: `name=value; name=value`; a value may be in quotes.
  const values = value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  return [value, ...values.map((text) => text.replace(/^"(.*)"$/, '$1'))].filter(isMaskable);
}

function listKeySecrets(clientKey: string): readonly string[] {
  if (isFilePath(clientKey)) return [];
  // A key that lost its line breaks has its markers in the same line.
  const content = clientKey.replace(/-----[^-]+-----/g, '\n');
  return listLines(content).filter((line) => !line.startsWith('-----') && isMaskable(line));
}
