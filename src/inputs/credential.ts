import { InputError } from '../errors.ts';
import type { Credential, IdTokenSource } from '../service/settings.ts';
import { isFieldValue } from '../text.ts';
import { FieldReader, getText } from './fields.ts';
import { parseHeaderName } from './headers.ts';
import { settleProxy } from './proxy.ts';
import { parseEnum } from './scalars.ts';

/**
 * Reads `auth` and the inputs it needs. The interface names no scheme, so header and prefix are inputs.
 * `baseUrl` is called only for the default audience. Throws an InputError.
 */
export function readCredential(baseUrl: () => URL): Credential {
  const kind = parseEnum('auth', getText('auth'), ['token', 'oidc', 'none']);
  if (kind === 'none') return { kind };
  const fields = new FieldReader();
  const header = fields.read(() => parseHeaderName('token-header', getText('token-header')));
  const prefix = fields.read(() => parsePrefix(getText('token-prefix')));
  const token = fields.read(() => (kind === 'token' ? readToken(prefix) : ''));
  fields.throwProblems();
  if (kind === 'token') return { kind, header: header(), value: `${prefix()}${token()}` };
  const audience = getText('oidc-audience') || baseUrl().origin;
  return { kind, header: header(), prefix: prefix(), audience, source: readIdTokenSource() };
}

function readIdTokenSource(): IdTokenSource | undefined {
  const address = process.env.ACTIONS_ID_TOKEN_REQUEST_URL ?? '';
  const token = process.env.ACTIONS_ID_TOKEN_REQUEST_TOKEN ?? '';
  if (address === '' || token === '') return undefined;
  const url = URL.parse(address);
  if (url !== null) return { url, token, proxy: settleProxy(url) };
  throw new InputError('The environment variable ACTIONS_ID_TOKEN_REQUEST_URL is not a URL.');
}

function parsePrefix(text: string): string {
  if (text === 'none') return '';
  if (isFieldValue(text)) return `${text} `;
  throw new InputError('`token-prefix` has a character that a header cannot carry.');
}

/** Throws an InputError; that of an invalid prefix only if the token itself is valid. */
function readToken(readPrefix: () => string): string {
  const token = getText('token');
  if (token === '') {
    throw new InputError(
      '`token` is empty. A secret is empty in runs for forks and Dependabot, and where it is not set ' +
        'for this repository or environment. To upload without a token, set `auth: oidc` or `auth: none`.',
    );
  }
  if (!isFieldValue(token)) {
    throw new InputError(
      '`token` has a line break or another character that a header cannot carry.',
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
