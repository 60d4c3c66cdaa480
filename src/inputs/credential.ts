import { InputError } from '../errors.ts';
import type { Credential, IdTokenSource } from '../service/settings.ts';
import { isFieldValue } from '../text.ts';
import { getText, mayBeEmpty, readAll } from './fields.ts';
import { parseHeaderName } from './headers.ts';
import { settleProxy } from './proxy.ts';
import { readChoice } from './scalars.ts';

/** The header that carries the credential, which readCredential checks; undefined for `auth: none`. */
export function readTokenHeader(): string | undefined {
  return getText('auth') === 'none' ? undefined : getText('token-header', 'Authorization');
}

/**
 * Reads `auth` and the inputs it needs. The interface names no scheme, so header and prefix are inputs.
 * `baseUrl` is called only for the default audience. Throws an InputError.
 */
export async function readCredential(baseUrl: () => URL | undefined): Promise<Credential> {
  const kind = readChoice('auth', ['token', 'oidc', 'none']);
  if (kind === 'none') return { kind };
  const { header, prefix, token } = await readAll({
    header: () => parseHeaderName('token-header', readTokenHeader() ?? ''),
    prefix: readPrefix,
    token: kind === 'token' ? readToken : () => '',
  });
  if (kind === 'token') return { kind, header, value: `${prefix}${token}` };
  // Without both it is a dry run, which requests no OIDC token.
  const audience = getText('oidc-audience') || (baseUrl()?.origin ?? '');
  return { kind, header, prefix, audience, source: readIdTokenSource() };
}

function readIdTokenSource(): IdTokenSource | undefined {
  const address = process.env.ACTIONS_ID_TOKEN_REQUEST_URL ?? '';
  const token = process.env.ACTIONS_ID_TOKEN_REQUEST_TOKEN ?? '';
  if (address === '' || token === '') return undefined;
  const url = URL.parse(address);
  if (url !== null) return { url, token, proxy: settleProxy(url) };
  throw new InputError('The environment variable ACTIONS_ID_TOKEN_REQUEST_URL is not a URL.');
}

/** What stands before the credential: by default `Bearer` in `Authorization`, and nothing elsewhere. */
function readPrefix(): string {
  const isScheme = /authorization$/i.test(readTokenHeader() ?? '');
  const text = getText('token-prefix', isScheme ? 'Bearer' : 'none');
  if (text === 'none') return '';
  if (isFieldValue(text)) return `${text} `;
  throw new InputError('`token-prefix` has a character that a header cannot carry.');
}

function readToken(): string {
  const token = getText('token');
  if (token === '') {
    if (mayBeEmpty()) return '';
    throw new InputError('`token` is empty.', listTokenFixes());
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
  const prefix = readPrefix();
  if (prefix !== '' && token.toLowerCase().startsWith(prefix.toLowerCase())) {
    throw new InputError(
      `\`token\` begins with '${prefix.trim()}', which \`token-prefix\` puts before it. Remove it from the token, or set \`token-prefix: none\`.`,
    );
  }
  return token;
}

/** The repository in links, unless the runner names that of the action that runs. */
const REPOSITORY = 'https://github.com/your-org/scan-upload-action';

/** Where empty secrets come from. */
function listTokenFixes(): readonly string[] {
  const { GITHUB_SERVER_URL: server = '', GITHUB_ACTION_REPOSITORY: name = '' } = process.env;
  const isNamed = server !== '' && /^[\w-]+\/[\w.-]+$/.test(name);
  const guide = `${isNamed ? `${server}/${name}` : REPOSITORY}#pull-requests-from-forks`;
  return [
    'Check the name of the secret in the workflow, and that this repository, or the environment of the job, has it. A reusable workflow gets a secret only by its name or with "secrets: inherit".',
    `Runs for forks and Dependabot get no secrets, runs for forks no variables either: set \`dry-run: true\` for them, or use two workflows: ${guide}.`,
    'To upload without a token, set `auth: oidc` or `auth: none`.',
  ];
}
