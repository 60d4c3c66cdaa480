// What to do about a credential that the service refuses, a sentence for each cause.

import { listSchemes } from '../service/headers.ts';
import { listSome } from '../text.ts';
import { spell } from './sentence.ts';
import type { Sentence } from './sentence.ts';
import { describeToken, readAudience, readExpiry } from './token.ts';

const CHECK = 'Check `token`, or renew it';
const OTHER = 'Set `token` to one that was issued for this service.';
const NONE =
  'Set `token` without `auth: none`, or `auth: oidc`, or correct the credential in `headers`: the service asks for one.';
const TRUST = 'Ask the operators of the service to trust OIDC tokens of';
const CHECK_TRUST: Sentence = ({ task }) =>
  `Check \`oidc-audience\` (sent: ${readAudience(task)}), and whether the service trusts OIDC tokens of this repository, branch and \`environment\`.`;

/** A sentence for `auth: token`, and one for `auth: oidc`; without a credential it is always the same. */
function byAuth(token: Sentence, oidc: Sentence = CHECK_TRUST): Sentence {
  const sentences = { token, oidc, none: NONE };
  return (evidence) => spell(sentences[evidence.task.inputs.credential.kind], evidence);
}

export const CREDENTIAL = {
  // What the service says of it.
  credential: byAuth(`${CHECK}.`),
  renewal: byAuth(`${CHECK}.`),
  right: byAuth('Check that the credential may upload for this `scan-key`.'),
  audience: byAuth(
    OTHER,
    ({ task }) => `Check \`oidc-audience\`: the service does not accept ${readAudience(task)}.`,
  ),
  issuer: byAuth(OTHER, `${TRUST} https://token.actions.githubusercontent.com, GitHub's issuer.`),
  subject: byAuth(OTHER, `${TRUST} this repository, branch and \`environment\`.`),
  // What it asks for, and what was sent.
  'key-header': byAuth(
    ({ task }) =>
      `Set \`token-header\` to the header of the API key, or check \`token\`: it was sent ${describeToken(task)}.`,
  ),
  scheme: byAuth(
    ({ task, challenge }) =>
      `Set \`token-prefix\` (for Basic, \`token\` is user:password in Base64), or \`token-header\` for an API key: the service asks for ${nameSchemes(challenge)}, and \`token\` was sent ${describeToken(task)}.`,
  ),
  'other-scheme': byAuth(
    ({ challenge }) =>
      `Ask the operators of the service for a token: it asks for ${nameSchemes(challenge)}, which the action does not support.`,
  ),
  'token-form': byAuth(
    'Save only the token as the secret, for Basic user:password in Base64: `token` has another character than letters, digits and -._~+/=, as JSON around it or a masked value (***) has.',
  ),
  'token-expiry': ({ task }) =>
    `Renew \`token\`: it is a JWT that expired on ${new Date(readExpiry(task)).toUTCString()}.`,
  'bare-credential': byAuth(
    ({ task }) =>
      `${CHECK}: it was sent ${describeToken(task)}. A secret of the environment wins over those of the repository and the organization.`,
  ),
  // Who asks for another one.
  'sign-in': ({ lead }) =>
    `Check how \`token\` is sent, or ask the operators of the service: it asks for a sign-in at ${lead?.pathname}, and did not take \`token\` as a credential of its API.`,
  'foreign-sign-in': ({ task: { url }, lead }) =>
    `${url.host} asks for a sign-in at ${lead?.host}: ask the operators of ${url.host} to let ${url.href} pass without it.`,
  // One that the service accepted for another scan of the step is not wrong.
  'accepted-credential': ({ accepted }) =>
    `Check \`scan-key\`, or ask the operators of the service to allow it: they accepted the credential for \`${accepted}\`.`,
} satisfies Readonly<Record<string, Sentence>>;

function nameSchemes(challenge: string): string {
  return listSome(listSchemes(challenge), 3);
}
