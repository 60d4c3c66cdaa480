import { OPERATIONS, locateOperation } from '../service/operations.ts';
import type { Credential, Header, Proxy } from '../service/settings.ts';
import type { ScanEntry } from './scans.ts';
import { listLines } from '../text.ts';
import { getText, isUnevaluated } from './fields.ts';
import { splitHeader } from './headers.ts';
import { isFilePath } from './text-file.ts';

/** Secrets of a step, each a single line that is not blank. */
export interface Secrets {
  /** Credentials, which the runner masks in the whole job. */
  readonly masked: readonly string[];
  /** Passwords that are only removed from texts of the step, because they may be a common word. */
  readonly hidden: readonly string[];
  /** Values of headers and parts of credentials, which may be no secrets but common words. */
  readonly possible: readonly string[];
}

/**
 * The shortest value that is masked besides the token. The runner drops every job output that
 * contains a masked value, so that masking a header's `true` would lose `uploaded=true`.
 */
const MIN_MASKED_CHARACTERS = 8;
/** The shortest password of a proxy that is removed from texts; shorter ones occur in ordinary words. */
const MIN_HIDDEN_CHARACTERS = 4;

/** A header's value is masked if its name contains one of these words, separated by hyphens. */
const CREDENTIAL_WORD =
  /(?:^|-)(?:authorization|auth|cookie|token|key|secret|password|pass|credential|jwt|session|signature)(?:-|$)/i;
/** A header's value may be a credential if its name contains one of these texts: `X-ApiKey`, `X-AuthToken`. */
const CREDENTIAL_PART =
  /auth|token|key|secret|\bpass\b|passw|pwd|credential|jwt|session|sig|cookie/i;
/** This header identifies a request and is not secret, although its name contains `key`. */
const NO_CREDENTIAL = /^idempotency-key$/i;

/** The secrets in the inputs, even if these are invalid: no message about an input may show one. */
export function readSecrets(): Secrets {
  const text = getText('token');
  // Of a token with several lines, which is invalid, a short one may be a common word.
  const isToken = (line: string): boolean => line === text.trim() || isMaskable(line);
  const token = isUnevaluated(text) ? [] : listLines(text).filter(isToken);
  const headers = listLines(getText('headers')).map(splitHeader);
  const masked = [...token, ...headers.flatMap(listMasked), ...listKeyLines(getText('client-key'))];
  // Without a name it is not a header, and may be a pasted secret.
  const values = headers
    .filter(({ name }) => name === '' || mayBeCredential(name))
    .map(({ value }) => value);
  const prefix = getText('token-prefix');
  const decoded = [`${prefix} ${text}`, ...values].flatMap(decodeBasic);
  // A prefix of one word is the name of a scheme.
  const texts = [prefix.replace(/^[\w-]+$/, ''), ...token, ...values, ...decoded];
  const possible = texts.flatMap(listParts).filter(isMaskable);
  const keyLines = listKeyLines(getText('client-key'));
  const hidden = [...decoded, keyLines.join('')].filter(isMaskable);
  return {
    masked: [...new Set(masked)],
    hidden: [...new Set([...hidden, ...listEnvironment()])],
    possible: [...new Set(possible)],
  };
}

/** What may be a secret in environment variables, even if they are invalid. */
function listEnvironment(): readonly string[] {
  const { ACTIONS_ID_TOKEN_REQUEST_TOKEN: token = '' } = process.env;
  const proxies = ['https_proxy', 'http_proxy'].flatMap((name) => [name, name.toUpperCase()]);
  const passwords = proxies.map(
    (name) => /\/\/[^:]*:(.*)@/.exec(process.env[name] ?? '')?.[1] ?? '',
  );
  return [token, ...passwords].filter((text) => text.length >= MIN_HIDDEN_CHARACTERS);
}

/** The secrets in environment variables, which are known once the inputs are checked. */
export function listLateSecrets(credential: Credential, proxy: Proxy | undefined): Secrets {
  const source = credential.kind === 'oidc' ? credential.source : undefined;
  const passwords = [proxy, source?.proxy].flatMap((used) => used?.secrets ?? []);
  return {
    masked: [...(source === undefined ? [] : [source.token]), ...passwords.filter(isMaskable)],
    hidden: passwords.filter((text) => text.length >= MIN_HIDDEN_CHARACTERS),
    possible: [],
  };
}

/** What is no secret, though parts of it may occur in one. */
export function listPublic(
  workspace: string,
  {
    baseUrl,
    proxy,
    scans,
  }: {
    readonly baseUrl: URL | undefined;
    readonly proxy: Proxy | undefined;
    readonly scans: readonly ScanEntry[];
  },
): readonly string[] {
  const urls = OPERATIONS.map((operation) => baseUrl && locateOperation(baseUrl, operation).href);
  const names = scans.flatMap(({ name, selection }) => [
    name,
    ...selection.map(({ text }) => text),
  ]);
  const all = [workspace, proxy?.url.host, ...urls, ...names];
  return all.filter((text) => text !== undefined);
}

/** Whether a header's name says that its value is a credential, which is masked in the whole job. */
export function isCredentialHeader(name: string): boolean {
  return mayBeCredential(name) && CREDENTIAL_WORD.test(name);
}

/** Whether a header's value may be a credential, which is removed from all texts. */
function mayBeCredential(name: string): boolean {
  return !NO_CREDENTIAL.test(name) && CREDENTIAL_PART.test(name);
}

function isMaskable(value: string): boolean {
  return value.length >= MIN_MASKED_CHARACTERS;
}

/**
 * The whole value of a credential header, and the parts that may be repeated alone: the text after the
 * scheme (`Basic dXNlcg==`), or the value of each cookie.
 */
function listMasked({ name, value }: Header): readonly string[] {
  if (!isCredentialHeader(name)) return [];
  // RFC 6265, section 4.2.1: `name=value; name=value`; a value may be in quotes.
  const cookies = value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  const parts = /^cookie$/i.test(name)
    ? cookies.map((text) => text.replace(/^"(.*)"$/, '$1'))
    : [value.slice(value.lastIndexOf(' ') + 1)];
  return [value, ...parts].filter(isMaskable);
}

function listKeyLines(clientKey: string): readonly string[] {
  if (isFilePath(clientKey)) return [];
  // A key that lost its line breaks has its markers in the same line.
  const content = clientKey.replace(/-----[^-]+-----/g, '\n');
  return listLines(content).filter((line) => !line.startsWith('-----') && isMaskable(line));
}

/** A text, what is in quotes in it, and its words: of `name=value` the value, with and without padding. */
function listParts(text: string): readonly string[] {
  const quoted = [...text.matchAll(/"([^"]*)"/g)].map(([, inside = '']) => inside);
  const unnamed = text.replace(/(?<![^\s,;&])[^\s,;&="]+=(?=[^\s,;&=])/g, '');
  // The text after `|` is the secret of Laravel Sanctum's tokens.
  const words = unnamed.split(/[\s,;&"|]+/);
  return [text.trim(), ...quoted, ...words, ...words.map((word) => word.replace(/={1,2}$/, ''))];
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
