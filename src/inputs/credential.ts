import { InputError } from '../errors.ts';
import type { Credential, IdTokenSource } from '../service/settings.ts';
import { isFieldValue } from '../text.ts';
import { getText, readAll } from './fields.ts';
import { parseHeaderName } from './headers.ts';
import { refuseFork } from './missing.ts';
import { findProxy } from './proxy.ts';
import { readChoice } from './scalars.ts';
import { readToken } from './token.ts';

/** The header that carries the credential, which readCredential checks; undefined for `auth: none`. */
export function readTokenHeader(): string | undefined {
  const header = getText('token-header', 'Authorization');
  return getText('auth') === 'none' ? undefined : header;
}

/**
 * Reads `auth` and the inputs it needs. The interface names no scheme, so header and prefix are inputs.
 * `baseUrl` is called only for the default audience. Throws an InputError.
 */
export async function readCredential(baseUrl: () => URL | undefined): Promise<Credential> {
  const kind = readChoice('auth', ['token', 'oidc', 'none']);
  const audience = getText('oidc-audience');
  if (kind === 'none') return { kind };
  const { header, prefix, token } = await readAll({
    header: () => parseHeaderName('token-header', readTokenHeader() ?? ''),
    prefix: readPrefix,
    token: kind === 'token' ? readToken : () => '',
  });
  if (prefix !== '' && token.toLowerCase().startsWith(prefix.toLowerCase())) {
    throw new InputError(
      `\`token\` begins with '${prefix.trim()}', which \`token-prefix\` puts before it. Remove it from the token, or set \`token-prefix: none\`.`,
    );
  }
  if (/^basic $/i.test(prefix) && token.includes(':')) {
    throw new InputError('With `token-prefix: Basic`, `token` must be user:password in Base64.');
  }
  if (kind === 'token') return { kind, header, value: `${prefix}${token}` };
  const source = readIdTokenSource();
  if (source === undefined) await refuseFork();
  // Without both it is a dry run, which requests no OIDC token.
  return { kind, header, prefix, audience: audience || (baseUrl()?.origin ?? ''), source };
}

function readIdTokenSource(): IdTokenSource | undefined {
  const address = process.env.ACTIONS_ID_TOKEN_REQUEST_URL ?? '';
  const token = process.env.ACTIONS_ID_TOKEN_REQUEST_TOKEN ?? '';
  if (address === '' || token === '') return undefined;
  const url = URL.parse(address);
  if (url !== null) return { url, token, proxy: findProxy(url) };
  throw new InputError(
    'The environment variable ACTIONS_ID_TOKEN_REQUEST_URL is not a URL. Only the runner may set it.',
  );
}

/** What stands before the credential: by default `Bearer` in `Authorization`, and nothing elsewhere. */
function readPrefix(): string {
  const isScheme = /authorization$/i.test(readTokenHeader() ?? '');
  const text = getText('token-prefix', isScheme ? 'Bearer' : 'none');
  if (text === 'none') return '';
  if (isFieldValue(text)) return `${text} `;
  throw new InputError('`token-prefix` has a character that a header cannot carry. Remove it.');
}
