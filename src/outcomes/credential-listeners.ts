// What a refusal says of the credential, what its challenge asks for, and what the credential says of itself.

import { listSchemes } from '../service/headers.ts';
import type { Cause } from './causes.ts';
import type { Evidence } from './evidence.ts';
import { hasName, hear } from './listeners.ts';
import type { Listener } from './listeners.ts';
import { SCHEMES, readExpiry, readToken } from './token.ts';

const UNSUPPORTED = ['digest', 'negotiate', 'ntlm'];
const KEY_NAMES = ['ApiKey', 'SubscriptionKey'];
/** Words of authentication, and of what a credential may do; not those of a firewall about an address. */
const AUTHENTICATION = /\b(?:tokens?|jwt|credentials?|api.?keys?|authentic|audience|issuer)/;
const RIGHT =
  /^(?!.*\bip address\b).*(?:(?:\b|_)(?:permissions?|privileges?|roles?|scopes?|(?:un)?authori[sz])|\b(?:key|token) (?:may not|has no access|does not have access|is not allowed)\b)/m;
/** Why a credential is not accepted any more. */
const OVER = ['expired', 'revoked'];
/** The parts of a credential that a service may name, also as claims of a JWT (RFC 7519, section 4.1). */
const PARTS = {
  audience: ['audience', 'aud claim'],
  issuer: ['issuer', 'iss claim'],
  subject: ['subject', 'sub claim'],
} as const;
/** Of a token, its subject is nothing to check. */
const TOKEN_PARTS = ['audience', 'issuer'] as const;
const OIDC_PARTS = [...TOKEN_PARTS, 'subject'] as const;
/** Not the form of a credential (RFC 9110, section 11.2: token68). Tokens of Laravel also have a bar: `12|abc`. */
const OTHER_FORM = /^(?:basic|bearer) (?![\w.~+/|-]+=*$)/i;

/** The JWT in `token` says by itself that it is over. */
const isExpired = hear(['token-expiry'], ({ task }) => readExpiry(task) <= Date.now());
const isOver = hear(['renewal'], (evidence) =>
  OVER.some((word) => readWords(evidence).includes(word)),
);

/** What is wrong with the credential. */
export const REFUSED: readonly Listener[] = [isExpired, isOver, namesPart];
/** What was sent in place of what the service asks for. */
export const SENT: readonly Listener[] = [
  hear(['key-header'], wantsKey),
  hear(['other-scheme'], wantsUnsupported),
  hear(['scheme'], (evidence) => listAsked(evidence).length > 0 && !isAsked(evidence)),
  hear(['token-form'], ({ task }) => OTHER_FORM.test(readToken(task).value)),
  hear(['credential'], ({ says }) => says.length > 0),
];
/** The same where the credential is one cause of several: something else may have expired. */
export const FORBIDDEN: readonly Listener[] = [
  (evidence) => {
    const over = [...isExpired(evidence), ...isOver(evidence)];
    return isOfCredential(evidence) ? over.slice(0, 1) : [];
  },
  namesPart,
  hear(
    ['right', 'accepted-credential'],
    ({ challenge, text }) => challenge !== '' || RIGHT.test(text),
  ),
  hear(['credential', 'accepted-credential'], isOfCredential),
];

/** The part of the credential that the service names. */
function namesPart(evidence: Evidence): readonly Cause[] {
  const words = readWords(evidence);
  const parts = evidence.task.inputs.credential.kind === 'oidc' ? OIDC_PARTS : TOKEN_PARTS;
  const named = parts.filter((part) => PARTS[part].some((word) => words.includes(word)));
  return named.length > 0 ? [...named.slice(0, 1), 'accepted-credential'] : [];
}

function isOfCredential(evidence: Evidence): boolean {
  return AUTHENTICATION.test(readWords(evidence));
}

/** What a refusal says, with its challenge. */
function readWords({ text, challenge }: Evidence): string {
  return `${text}\n${challenge}`.toLowerCase();
}

/** An API key that was sent as a token. */
function wantsKey(evidence: Evidence): boolean {
  const { lines, challenge } = evidence;
  const words = [...lines, challenge.toLowerCase()].join('\n');
  const isNamed = KEY_NAMES.some((name) => hasName(words, name));
  return isNamed && isInAuthorization(evidence) && !isAsked(evidence);
}

function isInAuthorization({ task }: Evidence): boolean {
  return readToken(task).header.toLowerCase() === 'authorization';
}

/** The schemes of a challenge, in lower case. */
function listAsked({ challenge }: Evidence): readonly string[] {
  return listSchemes(challenge).map((scheme) => scheme.toLowerCase());
}

/** Whether a challenge asks for what was sent. A header of its own has an API key. */
function isAsked(evidence: Evidence): boolean {
  const asked = listAsked(evidence);
  return isInAuthorization(evidence)
    ? asked.includes(readToken(evidence.task).scheme.toLowerCase())
    : asked.some((scheme) => !SCHEMES.includes(scheme));
}

function wantsUnsupported(evidence: Evidence): boolean {
  const asked = listAsked(evidence);
  return asked.length > 0 && asked.every((scheme) => UNSUPPORTED.includes(scheme));
}
