import { InputError } from '../errors.ts';
import { isObject, tryJson } from '../json.ts';
import { isCredentialName } from '../redaction/credential-names.ts';
import { isFieldValue, listLines } from '../text.ts';
import { EMPTY_FIX, getText, mayBeEmpty, refuseUnevaluated } from './fields.ts';
import { splitHeader } from './headers.ts';

/** The prefixes of GitHub's tokens; they end in `_`, so that nothing else has them by chance. */
const GITHUB_TOKEN = /^(?:gh[opusr]|github_pat)_/;

/** Reads `token`, which is empty only in a dry run. Throws an InputError that never shows it. */
export function readToken(): string {
  const token = getText('token');
  if (token === '') {
    if (mayBeEmpty()) return '';
    const cause = findCause();
    if (cause !== undefined) throw new InputError(`\`token\` is empty. ${cause}`);
    throw new InputError(
      '`token` is empty. Set it to a secret, which a called workflow gets only by its name or with `secrets: inherit`. To upload without a token, set `auth: oidc` or `auth: none`.',
      [EMPTY_FIX],
    );
  }
  refuseUnevaluated('token', token);
  if (GITHUB_TOKEN.test(token) && !mayBeEmpty()) {
    throw new InputError(
      '`token` is a GitHub token; it was not sent. Use the credential of the service, or `auth: oidc`. If the service takes GitHub tokens: `auth: none`, and the header in `headers`.',
    );
  }
  if (isObject(tryJson(token))) {
    throw new InputError('`token` is JSON. Save only the token in it as the secret.');
  }
  if (/[\r\n]/.test(token)) {
    throw new InputError(
      '`token` has several lines. Save only the token as the secret, in one line; for mutual TLS set `client-cert` and `client-key`.',
    );
  }
  if (!isFieldValue(token)) {
    throw new InputError(
      '`token` has a character that a header cannot carry. Copy the token into the secret again, without invisible characters.',
    );
  }
  return token;
}

/** Why the token is empty, with what to do, if that can be seen. */
function findCause(): string | undefined {
  const { SCAN_UPLOAD_TOKEN, GITHUB_ACTOR } = process.env;
  if (SCAN_UPLOAD_TOKEN) {
    return 'SCAN_UPLOAD_TOKEN is in `env:`, which the action does not read: write `token:` under `with:`.';
  }
  const headers = listLines(getText('headers')).map(splitHeader);
  const header = headers.find(({ name, value }) => value !== '' && isCredentialName(name))?.name;
  if (header !== undefined) {
    return `\`headers\` has a credential: set \`token\` to it, with \`token-header: ${header}\`, or set \`auth: none\`.`;
  }
  if (getText('oidc-audience')) return '`oidc-audience` is set: set `auth: oidc` with it.';
  if (GITHUB_ACTOR !== 'dependabot[bot]') return undefined;
  return 'Runs for Dependabot get only its own secrets: save the token as a Dependabot secret too.';
}
