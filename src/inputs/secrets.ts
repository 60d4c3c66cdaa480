// Each of these functions hides a secret before it returns it, even if an input is invalid: no message may show one.

import { unescape } from 'node:querystring';
import { InputError } from '../errors.ts';
import { hide, mask } from '../redaction/clean.ts';
import { isCredentialName, mayBeCredentialName } from '../redaction/credential-names.ts';
import { listLines } from '../text.ts';
import { isFilePath, readInput } from './fields.ts';
import { splitHeader } from './request-headers.ts';
import type { Header } from './request-headers.ts';

/**
 * The shortest secret besides the token. The runner drops every job output that contains a masked
 * value, so that masking a header's `true` would lose `uploaded=true`.
 */
const MIN_SECRET_CHARACTERS = 8;
/** No service accepts a longer header, and every piece of a secret is kept in memory. */
const MAX_SECRET_CHARACTERS = 16 * 1024;
const PRIVATE_KEY = /-----BEGIN [^-]*PRIVATE KEY-----([^]*?)(?:-----|$)/g;

type Hide = (secret: string) => void;
/** A person may have chosen it. */
const maskWords: Hide = (secret) => mask(secret, true);
const hideWords: Hide = (secret) => hide(secret, true);

/** Masks `token`, one of one line however short it is, and returns it. Throws an InputError if it is too long. */
export function hideToken(): string {
  const token = readInput('token');
  const lines = listLines(token);
  hideAll('`token`', mask, lines, lines.length === 1 ? 1 : MIN_SECRET_CHARACTERS);
  return token;
}

/** Masks `client-key`, and returns it: text, or the path of a file. Throws an InputError if it is too long. */
export function hideClientKey(): string {
  const key = readInput('client-key');
  return isFilePath(key) ? key : hideKey(key);
}

/** Masks the lines of a private key, and returns it. What stands around it in PEM is no secret. */
export function hideKey(text: string): string {
  const found = Array.from(text.matchAll(PRIVATE_KEY), ([, key = '']) => key);
  const key = (found.length > 0 ? found : [text]).join('\n');
  hideAll('`client-key`', mask, key.length > MAX_SECRET_CHARACTERS ? [key] : listLines(key));
  return text;
}

/** Hides the values in `headers` that may be credentials, and returns it. Throws an InputError if one is too long. */
export function hideHeaders(): string {
  const text = readInput('headers');
  const headers = listLines(text).map(splitHeader);
  const masked = headers.filter(({ name }) => isCredentialName(name)).map(({ value }) => value);
  hideAll('`headers`', maskWords, masked.filter(isUsable));
  // Without a name it is no header, and may be a pasted secret.
  const hidden = headers.filter(({ name }) => name === '' || mayBeCredentialName(name));
  hideAll('`headers`', hideWords, hidden.flatMap(listParts));
  return text;
}

/** Masks the token with which the job requests OIDC tokens, and returns it. */
export function hideRequestToken(): string {
  const { ACTIONS_ID_TOKEN_REQUEST_TOKEN: token = '' } = process.env;
  hideAll('ACTIONS_ID_TOKEN_REQUEST_TOKEN', mask, [token]);
  return token;
}

/** Hides the password in the variable of a proxy: as in its URL, and decoded, as it is sent. */
export function hidePassword(variable: string, password: string): void {
  hideAll(`The environment variable ${variable}`, maskWords, [password, unescape(password)]);
}

/** The value of a header, and what is a secret of its own in it: behind a scheme, and behind names. */
function listParts({ value }: Header): readonly string[] {
  const behindScheme = value.replace(/^\S+\s+/, '');
  const behindNames = value.split(/[;,]/).map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [value, behindScheme, ...behindNames.map((part) => part.replaceAll('"', '').trim())];
}

function isUsable(secret: string): boolean {
  return secret.length <= MAX_SECRET_CHARACTERS;
}

/** Hides secrets that are long enough. Throws an InputError if one is too long, after the others are hidden. */
function hideAll(
  source: string,
  hideOne: Hide,
  secrets: readonly string[],
  minCharacters = MIN_SECRET_CHARACTERS,
): void {
  const usable = secrets.filter(isUsable);
  for (const secret of usable) if (secret.length >= minCharacters) hideOne(secret);
  if (usable.length === secrets.length) return;
  throw new InputError(`${source} has a secret of more than 16 KiB: check what it is set to.`);
}
