import { InputError } from '../errors.ts';
import { isCredentialName, mayBeCredentialName } from '../redaction/credential-names.ts';
import { listLines } from '../text.ts';
import { isFilePath, readInput } from './fields.ts';
import type { Problems } from './fields.ts';
import { splitHeader } from './headers.ts';
import { listPasswords } from './proxy.ts';

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
const MIN_SECRET_CHARACTERS = 8;
/** No service accepts a longer header, and every piece of a secret is kept in memory. */
const MAX_SECRET_CHARACTERS = 16 * 1024;

/**
 * The secrets in inputs and environment variables, even if these are invalid: no message may show one. One that is too
 * long is left out, and a problem.
 */
export function readSecrets(problems: Problems): readonly Secret[] {
  const { ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken = '' } = process.env;
  const token = listLines(readInput('token'));
  const random = [...token, ...listKeyLines(), requestToken];
  const secrets = [
    ...random.map((value) => ({ value, isMasked: true, mayBeWords: false })),
    ...listPasswords().map((value) => ({ value, isMasked: true, mayBeWords: true })),
    ...listLines(readInput('headers'))
      .map(splitHeader)
      // Without a name it is no header, and may be a pasted secret.
      .filter(({ name }) => name === '' || mayBeCredentialName(name))
      .map(({ name, value }) => ({ value, isMasked: isCredentialName(name), mayBeWords: true })),
  ];
  const usable = secrets.filter(({ value }) => value.length <= MAX_SECRET_CHARACTERS);
  if (usable.length < secrets.length) {
    const problem =
      'A secret has more than 16 KiB: a line of `token`, `client-key` or `headers`, or the password of a proxy. Check what it is set to.';
    problems.add(new InputError(problem));
  }
  // A token of one line is masked however short it is.
  const short = token.length === 1 ? token : [];
  return usable.filter(({ value }) => {
    return value.length >= MIN_SECRET_CHARACTERS || short.includes(value);
  });
}

function listKeyLines(): readonly string[] {
  const key = readInput('client-key');
  // A key that lost its line breaks has its markers in the same line.
  return isFilePath(key) ? [] : listLines(key.replace(/-----[^-]+-----/g, '\n'));
}
