import { unescape } from 'node:querystring';
import { InputError } from '../errors.ts';
import { isCredentialName, mayBeCredentialName } from '../redaction/credential-names.ts';
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
 * The shortest secret besides the token. The runner drops every job output that contains a masked
 * value, so that masking a header's `true` would lose `uploaded=true`.
 */
const MIN_CHARACTERS = 8;
/** No service accepts a longer header, and every piece of a secret is kept in memory. */
const MAX_LINE_CHARACTERS = 16 * 1024;

/** The secrets in inputs and environment variables, even if these are invalid: no message may show one. */
export function readSecrets(): readonly Secret[] {
  const { ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken = '' } = process.env;
  const token = getText('token');
  const random = [...listLines(token), ...listKeyLines(), requestToken];
  const secrets = [
    ...random.map((value) => ({ value, isMasked: true, mayBeWords: false })),
    ...listPasswords().map((value) => ({ value, isMasked: true, mayBeWords: true })),
    ...listLines(getText('headers'))
      .map(splitHeader)
      // Without a name it is no header, and may be a pasted secret.
      .filter(({ name }) => name === '' || mayBeCredentialName(name))
      .map(({ name, value }) => ({ value, isMasked: isCredentialName(name), mayBeWords: true })),
  ];
  return secrets.filter(({ value }) => {
    return value.length >= MIN_CHARACTERS || (value === token && token !== '');
  });
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

function listKeyLines(): readonly string[] {
  const key = getText('client-key');
  // A key that lost its line breaks has its markers in the same line.
  return isFilePath(key) ? [] : listLines(key.replace(/-----[^-]+-----/g, '\n'));
}

/** The passwords of proxies as the variables have them, and decoded, as they are sent. */
function listPasswords(): readonly string[] {
  const names = ['https_proxy', 'http_proxy'].flatMap((name) => [name, name.toUpperCase()]);
  return names.flatMap((name) => {
    const address = (process.env[name] ?? '').trim().replace(/^\w*:?\/\//, '');
    const [, password = ''] = /^[^:]*:(.*)@/.exec(address) ?? [];
    return [password, unescape(password)];
  });
}
