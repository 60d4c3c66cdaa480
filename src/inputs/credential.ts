import { InputError } from '../errors.ts';
import type { Credential, IdTokenSource } from '../service/settings.ts';
import { isFieldValue } from '../text.ts';
import { getText } from './fields.ts';
import type { Reading } from './fields.ts';
import type { Fork } from './event.ts';
import { parseTokenHeader } from './headers.ts';
import { findMistake } from './mistakes.ts';
import { findProxy } from './proxy.ts';
import { readChoice } from './scalars.ts';

/** The prefixes of GitHub's tokens; they end in `_`, so that nothing else has them by chance. */
const GITHUB_TOKEN = /^(?:gh[opusr]|github_pat)_/;

/**
 * Reads `auth` and the inputs it needs. The interface names no scheme, so header and prefix are inputs. The audience
 * is the origin of `baseUrl` by default. Throws an InputError for a run for a fork, from which all else follows.
 */
export function readCredential(
  { problems, dryRun }: Reading,
  baseUrl: URL | undefined,
  fork: Fork | undefined,
): Credential {
  const kind = readChoice(problems, 'auth', ['token', 'oidc', 'none']);
  if (kind === 'none') return { kind };
  const token = kind === 'token' ? getText('token') : '';
  const source = kind === 'oidc' ? problems.read(undefined, readIdTokenSource) : undefined;
  if (!dryRun && token === '' && source === undefined) {
    const error = explainEmpty(kind, fork);
    if (fork !== undefined && error !== undefined) throw error;
    if (error !== undefined) problems.add(error, undefined);
  }
  const name = getText('token-header', 'Authorization');
  const header = problems.read('', () => parseTokenHeader(name));
  const prefix = problems.read('', () => readPrefix(name));
  const problem = findTokenProblem(token, prefix);
  if (problem !== undefined) problems.add(new InputError(`\`token\` ${problem}`), undefined);
  if (kind === 'token') return { kind, header, value: `${prefix}${token}` };
  const audience = getText('oidc-audience', baseUrl?.origin);
  return { kind, header, prefix, audience, source };
}

/** Why there is no credential; undefined if a job may just not request an OIDC token, which the upload reports. */
function explainEmpty(kind: 'token' | 'oidc', fork: Fork | undefined): InputError | undefined {
  if (fork === 'pull request') {
    return new InputError('This run is for a pull request from a fork.', [
      'Such runs get no secrets, no variables and no OIDC token, unless the repository sends them: set `dry-run: ${{ github.event.pull_request.head.repo.fork == true }}`.',
    ]);
  }
  if (kind === 'oidc') return undefined;
  if (process.env.GITHUB_ACTOR === 'dependabot[bot]') {
    return new InputError(
      '`token` is empty: runs for Dependabot get only its own secrets. Save the token as a Dependabot secret too.',
    );
  }
  if (fork === 'repository') {
    return new InputError(
      '`token` is empty: this repository is a fork, which has none of the secrets and variables of its parent.',
      [
        "To upload in the parent only, add `if: github.repository == 'OWNER/REPO'` to the job. To upload here too, save them in this repository.",
      ],
    );
  }
  return new InputError('`token` is empty. It is required unless `auth` is `oidc` or `none`.', [
    'Write `${{ secrets.NAME }}`, not `vars`. It needs a secret of this name in this repository or, with `environment:`, in that environment. A called workflow gets only the secrets that the calling job passes to it (`secrets:`).',
  ]);
}

function readIdTokenSource(): IdTokenSource | undefined {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: address = '', ACTIONS_ID_TOKEN_REQUEST_TOKEN: token = '' } =
    process.env;
  const url = URL.parse(address);
  return url === null || token === '' ? undefined : { url, token, proxy: findProxy(url) };
}

/** What stands before the credential: by default `Bearer` in `Authorization`, and nothing elsewhere. */
function readPrefix(headerName: string): string {
  const text = getText('token-prefix', /authorization$/i.test(headerName) ? 'Bearer' : 'none');
  if (text === 'none') return '';
  if (isFieldValue(text)) return `${text} `;
  throw new InputError('`token-prefix` has a character that a header cannot carry. Remove it.');
}

/** What is wrong with the token, which is not shown. */
function findTokenProblem(token: string, prefix: string): string | undefined {
  if (GITHUB_TOKEN.test(token)) {
    return 'is a GitHub token; it was not sent. Use the credential of the service, or `auth: oidc`. If the service takes GitHub tokens: `auth: none`, and the header in `headers`.';
  }
  if (token !== '' && !isFieldValue(token)) {
    return 'has a line break, or another character that a header cannot carry. Save only the token as the secret.';
  }
  if (prefix !== '' && token.toLowerCase().startsWith(prefix.toLowerCase())) {
    return `begins with '${prefix.trim()}', which \`token-prefix\` puts before it. Remove it from the token, or set \`token-prefix: none\`.`;
  }
  return findMistake(token);
}
