import { InputError } from '../errors.ts';
import { findWrongSyntax } from '../expressions.ts';
import type { Credential, IdTokenSource } from '../service/auth.ts';
import { isFieldValue } from '../text.ts';
import { findFork } from './event.ts';
import { readInput } from './fields.ts';
import type { Reading } from './fields.ts';
import { parseTokenHeader } from './request-headers.ts';
import { findProxy } from './proxy.ts';
import { SECRET_FIX, readChoice, refuseEmpty } from './scalars.ts';
import { hideRequestToken, hideToken } from './secrets.ts';

/** The prefixes of GitHub's tokens; they end in `_`, so that nothing else has them by chance. */
const GITHUB_TOKEN = /^(?:gh[opusr]|github_pat)_/;

/**
 * Reads `auth` and the inputs it needs. The interface names no scheme, so header and prefix are inputs. The audience
 * is the origin of `baseUrl` by default.
 */
export function readCredential({ faults, dryRun }: Reading, baseUrl: URL | undefined): Credential {
  const kind = readChoice(faults, 'auth', ['token', 'oidc', 'none']);
  if (kind === 'none') return { kind };
  const name = readInput('token-header', 'Authorization');
  const header = faults.read('', () => parseTokenHeader(name));
  const prefix = faults.read('', () => readPrefix(name));
  if (kind === 'token') {
    const token = faults.read('', () => readValidToken(prefix, dryRun));
    return { kind, header, value: `${prefix}${token}` };
  }
  const audience = readInput('oidc-audience', baseUrl?.origin);
  // Without a source the job may not request an OIDC token. The upload reports that.
  const source = faults.read(undefined, readIdTokenSource);
  return { kind, header, prefix, audience, source };
}

/** Throws an InputError if a run for a fork got no credential, because that is why other inputs are empty too. */
export async function checkFork(): Promise<void> {
  const auth = readInput('auth', 'token');
  const credential = auth === 'oidc' ? hideRequestToken() : hideToken();
  if (auth === 'none' || credential !== '') return;
  const fork = await findFork();
  if (fork === 'head') {
    throw new InputError('This run is for a pull request from a fork.', [
      'Set `dry-run: ${{ github.event.pull_request.head.repo.fork == true }}`: such runs get no secrets, variables or OIDC token.',
    ]);
  }
  if (fork === undefined || auth === 'oidc') return;
  throw new InputError(
    '`token` is empty: this repository is a fork, without the secrets and variables of its parent.',
    [
      "Add `if: github.repository == 'OWNER/REPO'` to the job, or save them in this repository too.",
    ],
  );
}

/** Reads and checks `token`. Throws an InputError, which does not show it. */
function readValidToken(prefix: string, dryRun: boolean): string {
  const token = hideToken();
  if (token === '') {
    if (dryRun) return '';
    throw process.env.GITHUB_ACTOR === 'dependabot[bot]'
      ? new InputError(
          '`token` is empty in a run for Dependabot: save it as a Dependabot secret too.',
        )
      : refuseEmpty('`token` is empty.', SECRET_FIX);
  }
  const fault = findTokenFault(token, prefix);
  if (fault !== undefined) throw new InputError(`\`token\` ${fault}`);
  return token;
}

function findTokenFault(token: string, prefix: string): string | undefined {
  if (GITHUB_TOKEN.test(token)) {
    return "is a GitHub token: use the service's credential, or `auth: oidc`. If the service takes GitHub tokens, write the header in `headers`, with `auth: none`.";
  }
  if (!isFieldValue(token)) {
    return 'has a line break, or another character that a header cannot carry: save only the token as the secret.';
  }
  if (prefix !== '' && token.toLowerCase().startsWith(prefix.toLowerCase())) {
    return `begins with '${prefix.trim()}', which \`token-prefix\` puts before it: remove it from the token, or set \`token-prefix: none\`.`;
  }
  return findWrongSyntax(token);
}

function readIdTokenSource(): IdTokenSource | undefined {
  const url = URL.parse(process.env.ACTIONS_ID_TOKEN_REQUEST_URL ?? '');
  const token = hideRequestToken();
  return url === null || token === '' ? undefined : { url, token, proxy: findProxy(url) };
}

/** Reads what stands before the credential: by default `Bearer` in `Authorization`, and nothing in other headers. */
function readPrefix(headerName: string): string {
  const isAuthorization = headerName.toLowerCase().endsWith('authorization');
  const text = readInput('token-prefix', isAuthorization ? 'Bearer' : 'none');
  if (text === 'none') return '';
  if (isFieldValue(text)) return `${text} `;
  throw new InputError('`token-prefix` has a character that a header cannot carry. Remove it.');
}
