// What to do about a credential that the service refuses.

import { listSchemes } from '../service/headers.ts';
import { listSome } from '../text.ts';
import { isExpired, readExpiry } from './jwt.ts';
import { findLead, hasName } from './listeners.ts';
import type { FailedAttempt } from './task.ts';

const UNSUPPORTED = ['digest', 'negotiate', 'ntlm'];
/** Schemes of `Authorization`; any other is that of an API key. */
const SCHEMES = ['basic', 'bearer', ...UNSUPPORTED];
const CHECK = 'Check `token`, or renew it';
const OVERRIDES =
  'A secret of the environment wins over those of the repository and the organization.';
const NO_PAIR = 'Encode `token` in Base64: it is not user:password in Base64.';
const NO_TOKEN =
  'Save only the token as the secret: `token` has another character than letters, digits and -._~+/=, as JSON around it or a masked value (***) has.';
const OTHER_AUDIENCE = 'Set `token` to one that was issued for this service.';
/** Not the form of a credential (RFC 9110, section 11.2: token68). Tokens of Laravel also have a bar: `12|abc`. */
const OTHER_FORM = /^(?:basic|bearer) (?![\w.~+/|-]+=*$)/i;

/** A credential that is missing, or that the service does not accept. */
export function fixCredential({ task, last: { response } }: FailedAttempt): string {
  const { credential, headers } = task.inputs;
  if (credential.kind === 'oidc') {
    return `Check \`oidc-audience\` (sent: ${credential.audience}), and whether the service trusts OIDC tokens of this repository, branch and \`environment\`.`;
  }
  if (credential.kind === 'none') {
    const own = headers.length > 0 ? 'Check the credential in `headers`, or set' : 'Set';
    return `${own} \`token\` without \`auth: none\`, or \`auth: oidc\`: the service asks for a credential.`;
  }
  const { header, value } = credential;
  const [sent = ''] = value.split(' ', 1);
  const asked = listSchemes(response?.headers['www-authenticate']);
  // A header of its own has an API key.
  const isKey = header.toLowerCase() !== 'authorization';
  const isSent = asked.some((name) =>
    isKey ? !SCHEMES.includes(name.toLowerCase()) : name.toLowerCase() === sent.toLowerCase(),
  );
  // The first word may be one of the token.
  const how = SCHEMES.includes(sent.toLowerCase()) ? `as ${header}: ${sent}` : `in ${header}`;
  if (asked.length > 0 && !isSent) return adviseScheme(asked, how);
  if (OTHER_FORM.test(value)) return sent.toLowerCase() === 'basic' ? NO_PAIR : NO_TOKEN;
  const said = (response?.says ?? []).join('\n').toLowerCase();
  const isOfKey = ['ApiKey', 'SubscriptionKey'].some((name) => hasName(said, name));
  if (isOfKey && !isKey && !isSent) {
    return `Set \`token-header\` to the header of the API key, or check \`token\`: it was sent ${how}.`;
  }
  return said === '' ? `${CHECK}: it was sent ${how}. ${OVERRIDES}` : `${CHECK}.`;
}

/** Another scheme is proposed only if the challenge asks for it. */
function adviseScheme(asked: readonly string[], how: string): string {
  const known = asked.filter((scheme) => !UNSUPPORTED.includes(scheme.toLowerCase()));
  return known.length > 0
    ? `Set \`token-prefix\` (for Basic, \`token\` is user:password in Base64), or \`token-header\` for an API key: the service asks for ${listSome(known, 3)}, and \`token\` was sent ${how}.`
    : `Ask the operators of the service for a token: it asks for ${listSome(asked, 3)}, which the action does not support.`;
}

/** A credential that is over. */
export function fixRenewal(failed: FailedAttempt): string {
  const { task } = failed;
  if (task.inputs.credential.kind !== 'token') return fixCredential(failed);
  return isExpired(task)
    ? `Renew \`token\`: it is a JWT that expired on ${new Date(readExpiry(task) ?? 0).toUTCString()}.`
    : `${CHECK}.`;
}

/** One for another audience. */
export function fixAudience({ task: { inputs } }: FailedAttempt): string {
  const { credential } = inputs;
  return credential.kind === 'oidc'
    ? `Check \`oidc-audience\`: the service does not accept ${credential.audience}.`
    : OTHER_AUDIENCE;
}

/** One of an issuer that the service does not trust. */
export function fixIssuer({ task: { inputs } }: FailedAttempt): string {
  return inputs.credential.kind === 'oidc'
    ? 'Ask the operators of the service to trust OIDC tokens of GitHub.'
    : OTHER_AUDIENCE;
}

/** An OIDC token whose subject the service does not trust. */
export const SUBJECT =
  'Ask the operators of the service to trust OIDC tokens of this repository, branch and `environment`.';

/** A credential that may not upload this. */
export function fixRight(failed: FailedAttempt): string {
  return failed.task.inputs.credential.kind === 'token'
    ? 'Check that the credential may upload for this `scan-key`.'
    : fixCredential(failed);
}

/** One that the service accepted for another scan of the step is not wrong. */
export function fixAccepted({ accepted }: FailedAttempt): string {
  return `Check \`scan-key\`, or ask the operators of the service to allow it: they accepted the credential for \`${accepted}\`.`;
}

/** A service that takes the token for none of its API, and asks for a sign-in. */
export function fixSignIn({ task: { url }, last: { response } }: FailedAttempt): string {
  const { pathname } = (response && findLead(response, url)) ?? url;
  return `Check how \`token\` is sent, or ask the operators of the service: it asks for a sign-in at ${pathname}, and did not take \`token\` as a credential of its API.`;
}

/** A gateway that asks for a sign-in at another host. */
export function fixForeignSignIn({ task: { url }, last: { response } }: FailedAttempt): string {
  const { host } = (response && findLead(response, url)) ?? url;
  return `${url.host} asks for a sign-in at ${host}: ask the operators of ${url.host} to let ${url.href} pass without it.`;
}
