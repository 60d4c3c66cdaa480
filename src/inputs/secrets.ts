import { unescape } from 'node:querystring';
import { InputError } from '../errors.ts';
import { isCredentialName, mayBeCredentialName } from '../redaction/credential-names.ts';
import type { Header } from '../service/settings.ts';
import { listLines } from '../text.ts';
import { getText } from './fields.ts';
import { splitHeader } from './headers.ts';
import { isFilePath } from './text-file.ts';

/** A secret of a step: a single line that is not blank. */
export interface Secret {
  readonly value: string;
  /** Whether the runner masks it in the whole job; else it is only removed from texts of the step. */
  readonly isMasked: boolean;
  /** Whether it may be common words, because a person chose it. */
  readonly mayBeWords: boolean;
}

/**
 * The shortest value that is masked besides the token. The runner drops every job output that
 * contains a masked value, so that masking a header's `true` would lose `uploaded=true`.
 */
const MIN_MASKED_CHARACTERS = 8;
/** The shortest password of a proxy that is removed from texts; shorter ones occur in ordinary words. */
const MIN_HIDDEN_CHARACTERS = 4;
/** No service accepts a longer header, and every piece of a secret is kept in memory. */
const MAX_LINE_CHARACTERS = 16 * 1024;

/** The secrets in inputs and environment variables, even if these are invalid: no message may show one. */
export function readSecrets(): readonly Secret[] {
  const { ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken = '' } = process.env;
  const random = [...listToken(), ...listKeyLines(), requestToken];
  return [
    ...random
      .filter((value) => value !== '')
      .map((value) => ({ value, isMasked: true, mayBeWords: false })),
    ...listLines(getText('headers')).map(splitHeader).flatMap(listHeader),
    ...listPasswords().map((value) => {
      return { value, isMasked: isMaskable(value), mayBeWords: true };
    }),
  ];
}

/** Throws an InputError for each input with a line that is too long for a secret. */
export function refuseLongSecrets(): void {
  const long = ['token', 'headers', 'client-key'].filter((name) =>
    listLines(getText(name)).some((line) => line.length > MAX_LINE_CHARACTERS),
  );
  if (long.length === 0) return;
  throw new InputError(
    long.map((name) => `A line of \`${name}\` has more than 16 KiB. Check what it is set to.`),
  );
}

function isMaskable(value: string): boolean {
  return value.length >= MIN_MASKED_CHARACTERS;
}

/** The token; if it has several lines, which is invalid, those that are no common word. */
function listToken(): readonly string[] {
  const text = getText('token');
  return listLines(text).filter((line) => line === text || isMaskable(line));
}

function listKeyLines(): readonly string[] {
  const key = getText('client-key');
  if (isFilePath(key)) return [];
  // A key that lost its line breaks has its markers in the same line.
  return listLines(key.replace(/-----[^-]+-----/g, '\n')).filter(
    (line) => !line.startsWith('-----') && isMaskable(line),
  );
}

/** A header's value, if the name says so. Without a name it is no header, and may be a pasted secret. */
function listHeader({ name, value }: Header): readonly Secret[] {
  if (!isMaskable(value) || (name !== '' && !mayBeCredentialName(name))) return [];
  return [{ value, isMasked: isCredentialName(name), mayBeWords: true }];
}

/** The passwords of proxies as the variables have them, and decoded, as they are sent. */
function listPasswords(): readonly string[] {
  const names = ['https_proxy', 'http_proxy'].flatMap((name) => [name, name.toUpperCase()]);
  const passwords = names.flatMap((name) => {
    const address = (process.env[name] ?? '').trim().replace(/^\w*:?\/\//, '');
    const [, password = ''] = /^[^:]*:(.*)@/.exec(address) ?? [];
    return [password, unescape(password)];
  });
  return [...new Set(passwords)].filter(({ length }) => length >= MIN_HIDDEN_CHARACTERS);
}
