// What to do after a response that refuses the credential. No guess follows a reason in words of the service.

import { isObject, tryJson } from '../json.ts';
import type { Credential } from '../service/auth.ts';
import { listSchemes } from '../service/headers.ts';
import { describeAddress } from './fixes.ts';
import type { FailedAttempt, UploadTask } from './task.ts';

type Token = Extract<Credential, { kind: 'token' }>;

/** Words about a credential, or about what it may do. */
const CREDENTIAL =
  /\b(?:tokens?|jwt|credentials?|permissions?|privileges?|roles?|scopes?|api.?keys?|(?:un)?authori[sz]|authentic)/i;
/** Reasons why the service accepts a credential for nothing, and why not for this upload. */
const INVALID = /\b(?:expired|revoked|audiences?)\b/i;
const AUDIENCE = /\baudiences?\b/i;
const INSUFFICIENT = /(?:\b|_)scopes?\b/i;
const API_KEY = /\b(?:api|subscription)[ _-]?key\b/i;
const UNSUPPORTED = ['digest', 'negotiate', 'ntlm'];
/** Schemes of `Authorization`; any other is that of an API key. */
const SCHEMES = ['basic', 'bearer', ...UNSUPPORTED];

/** The form of a credential (RFC 9110, section 11.2: token68). Tokens of Laravel also have a bar: `12|abc`. */
const TOKEN68 = /^[\w.~+/|-]+=*$/;

const OVERRIDES =
  'A secret of the environment wins over one of the repository, and that over one of the organization.';
const CHECK_TOKEN = `Check \`token\`, or renew it. ${OVERRIDES}`;

/** Of a credential that is missing, or that the service does not accept. */
export function ofCredential(failed: FailedAttempt): string {
  const { credential, headers } = failed.task.inputs;
  if (credential.kind === 'none') {
    const own = headers.length > 0 ? 'check the one in `headers`, or ' : '';
    return `The service asks for a credential: ${own}set \`token\` without \`auth: none\`, or \`auth: oidc\`.`;
  }
  const expiry = credential.kind === 'token' ? readExpiry(credential.value) : undefined;
  if (expiry !== undefined && expiry <= Date.now()) {
    return `\`token\` is a JWT that expired on ${new Date(expiry).toUTCString()}: renew it. ${OVERRIDES}`;
  }
  const isStated = saysWhy(failed);
  if (failed.accepted !== undefined && !isStated) return describeAcceptance(failed.accepted);
  if (credential.kind === 'oidc') return `Check ${describeRight(failed.task)}.`;
  if (!isStated) return explainScheme(credential, failed);
  // A renewed token has the same audience.
  return AUDIENCE.test(readWords(failed))
    ? `Set \`token\` to one that was issued for this service. ${OVERRIDES}`
    : CHECK_TOKEN;
}

/** Of a credential that may not upload this. Gateways and firewalls have the same status. */
export function ofForbidden(failed: FailedAttempt): string {
  const { task, last, accepted } = failed;
  const { kind, text = '', says = [], headers = {} } = last.response ?? {};
  const [address, right] = [describeAddress(task), describeRight(task)];
  if (kind === 'web-page') {
    return `A gateway or firewall in front of the service may have refused the upload: ask its operators, with what the page says, to let it pass to ${task.url.href}. If it did not: check that \`base-url\` is the address of the API, and ${right}.`;
  }
  if (text.includes('Missing Authentication Token')) {
    return `AWS API Gateway says so of a path that it does not have: check \`base-url\`, with its stage (https://host/prod). It was ${task.url.href}.`;
  }
  const isOfCredential = headers['www-authenticate'] !== undefined || CREDENTIAL.test(text);
  if (isOfCredential && saysWhy(failed)) return ofCredential(failed);
  if (!isOfCredential && says.some((line) => line.split(' ').length > 2)) {
    const why = 'The service says why: its operators can change that.';
    // An accepted scan proves the address.
    return accepted === undefined
      ? `${why} If it says nothing about the upload, check ${address}`
      : why;
  }
  if (accepted !== undefined) return describeAcceptance(accepted);
  if (!isOfCredential) return `Check ${address} If it is right, check ${right}.`;
  const isSure = INSUFFICIENT.test(readWords(failed));
  return isSure ? `Check ${right}.` : `Check ${right}. If that is right, check ${address}`;
}

/** Whether the service says in words why it does not accept the credential. */
export function saysWhy(failed: FailedAttempt): boolean {
  return INVALID.test(readWords(failed));
}

/** What the service says of the credential: its text, and its challenge. */
function readWords({ last: { response } }: FailedAttempt): string {
  return `${response?.text ?? ''}\n${response?.headers['www-authenticate'] ?? ''}`;
}

/** What must be right so that the credential may upload. */
function describeRight({ inputs: { credential } }: UploadTask): string {
  return credential.kind === 'oidc'
    ? `\`oidc-audience\` (sent: ${credential.audience}), and whether the service trusts OIDC tokens of this repository, branch and \`environment\``
    : 'that the credential may upload for this `scan-key`';
}

/** A credential that the service accepted for another scan of the step is not wrong. */
function describeAcceptance(label: string): string {
  return `The service accepted the credential for ${label}: it may not upload for this \`scan-key\`, unless it was revoked since. Check the key, or ask the operators of the service to allow it.`;
}

/** Another scheme is proposed only if the challenge asks for it, and not for the one that was sent. */
function explainScheme({ header, value }: Token, { last: { response } }: FailedAttempt): string {
  const asked = listSchemes(response?.headers['www-authenticate']);
  const isAuthorization = header.toLowerCase() === 'authorization';
  if (asked.length === 0 && isAuthorization && API_KEY.test(response?.text ?? '')) {
    return `${CHECK_TOKEN} If the service wants an API key, set \`token-header\` to its header: the service names it, or its operators know it.`;
  }
  const [sent = ''] = value.split(' ', 1);
  // A header of its own has an API key.
  const isSent = (name: string): boolean =>
    isAuthorization
      ? name.toLowerCase() === sent.toLowerCase()
      : !SCHEMES.includes(name.toLowerCase());
  const scheme = asked.find((name) => !UNSUPPORTED.includes(name.toLowerCase())) ?? asked[0];
  if (asked.some(isSent)) return checkForm(value);
  // The first word may be one of the token.
  const isNamed = isAuthorization && SCHEMES.includes(sent.toLowerCase());
  const how = isNamed ? `as ${header}: ${sent}` : `in ${header}`;
  if (scheme === undefined) return `\`token\` was sent ${how}. ${checkForm(value)}`;
  const isKey = API_KEY.test(`${scheme} ${response?.text}`);
  return `\`token\` was sent ${how}. ${adviseScheme(scheme, isKey)} If the service accepts both, check \`token\`.`;
}

/** A secret that is more than the credential, or another form of it, reaches the service as it was saved. */
function checkForm(value: string): string {
  const [, scheme, credential = ''] = /^(basic|bearer) (.*)$/i.exec(value) ?? [];
  if (scheme === undefined || TOKEN68.test(credential)) return CHECK_TOKEN;
  return scheme.toLowerCase() === 'basic'
    ? `\`token\` is not user:password in Base64: encode it. ${OVERRIDES}`
    : `Check \`token\`: it has another character than letters, digits and -._~+/=. Save only the token as the secret, not JSON around it, nor a masked value (***). ${OVERRIDES}`;
}

/** The scheme of a challenge is one of Authorization, but gateways also invent one for an API key in another header. */
function adviseScheme(scheme: string, isKey: boolean): string {
  const name = scheme.toLowerCase();
  if (name === 'bearer') return 'For Bearer, set `token-prefix: Bearer` without `token-header`.';
  if (name === 'basic') {
    return 'For Basic, set `token-prefix: Basic` without `token-header`, and `token` to user:password in Base64.';
  }
  if (UNSUPPORTED.includes(name)) {
    return `The action does not support ${scheme}: ask the operators of the service for a token.`;
  }
  const header =
    '`token-header` to the header of the API key: the service names it, or its operators know it';
  return isKey
    ? `For ${scheme}, set ${header} (if it is Authorization, \`token-prefix: ${scheme}\`).`
    : `For ${scheme}, set \`token-prefix: ${scheme}\` without \`token-header\`, or set ${header}.`;
}

/** When a JWT expires (RFC 7519, section 4.1.4), in milliseconds since 1970; undefined for any other text. */
function readExpiry(token: string): number | undefined {
  const [, claims = ''] = token.split('.');
  const value = tryJson(Buffer.from(claims, 'base64url').toString());
  if (!isObject(value) || !('exp' in value) || typeof value.exp !== 'number') return undefined;
  return value.exp * 1000;
}
