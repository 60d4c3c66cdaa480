import { InputError } from '../errors.ts';
import { readSmallFile } from '../files/regular-file.ts';
import { isObject, tryJson } from '../json.ts';
import { isFieldValue } from '../text.ts';
import { getText, mayBeEmpty, refuseUnevaluated } from './fields.ts';

/** The prefixes of GitHub's tokens; they end in `_`, so that nothing else has them by chance. */
const GITHUB_TOKEN = /^(?:gh[opusr]|github_pat)_/;
/** Events have a few hundred KiB at most. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024;

/** Reads `token`, which is empty only in a dry run. Throws an InputError that never shows it. */
export async function readToken(): Promise<string> {
  const token = getText('token');
  if (token === '') {
    if (mayBeEmpty()) return '';
    throw new InputError('`token` is empty.', [
      await explainEmpty(),
      'To upload without a token, set `auth: oidc` or `auth: none`.',
    ]);
  }
  refuseUnevaluated('token', token);
  if (GITHUB_TOKEN.test(token) && !mayBeEmpty()) {
    throw new InputError('`token` is a GitHub token; it was not sent.', [
      'Use the credential of the service, or `auth: oidc`. If the service takes GitHub tokens: `auth: none`, and the header in `headers`.',
    ]);
  }
  if (/[\r\n]/.test(token)) {
    throw new InputError(
      '`token` has a line break. Save only the token in the secret, not a key, JSON or a user name; for mutual TLS set `client-cert` and `client-key`.',
    );
  }
  if (!isFieldValue(token)) {
    throw new InputError(
      '`token` has a character that a header cannot carry. Copy the token into the secret again, without invisible characters.',
    );
  }
  return token;
}

/** What to do about an empty token: the cause is known of runs for forks and for Dependabot. */
async function explainEmpty(): Promise<string> {
  if (process.env.GITHUB_ACTOR === 'dependabot[bot]') {
    return 'Runs for Dependabot get only its own secrets: save the token as a Dependabot secret too.';
  }
  if (await isForFork()) {
    return 'Runs for forks get no secrets: set `dry-run: ${{ github.event.pull_request.head.repo.fork == true }}`.';
  }
  return 'Check the name of the secret in the workflow, and that this repository has it, or an environment that the job names (`environment:`). A reusable workflow gets a secret only by its name or with `secrets: inherit`.';
}

/** Whether the run is for a pull request from a fork; a repository with its own branches may be a fork itself. */
async function isForFork(): Promise<boolean> {
  const { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: path = '' } = process.env;
  const bytes = await readSmallFile(path, MAX_EVENT_BYTES).catch(() => '');
  const request = getMember(tryJson(String(bytes)), 'pull_request');
  const [head, base] = ['head', 'base'].map((side) => getMember(getMember(request, side), 'repo'));
  const isOther = getMember(head, 'full_name') !== getMember(base, 'full_name');
  // It gets secrets.
  return name !== 'pull_request_target' && getMember(head, 'fork') === true && isOther;
}

function getMember(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined;
}
