import { STATUS_CODES } from 'node:http';
import { findBaseUrl } from '../../service/operations.ts';
import type { UploadSettings } from '../../service/settings.ts';
import type { ResponseSituation } from '../../situations.ts';
import { cutText } from '../../text.ts';
import { nameStatus } from '../response-facts.ts';
import { adviseLater } from './context.ts';
import type { UploadContext, Words } from './context.ts';

/** How much of a redirect's target is shown. */
const MAX_PATH_CHARACTERS = 100;

/** The words for what the service, or something in its place, responds. */
export const RESPONSE_WORDS: Readonly<Record<ResponseSituation, Words<UploadContext>>> = {
  redirect: {
    headline: describeRedirect,
    fix: (context) => {
      const target = findTarget(context);
      const base = target && findBaseUrl(target);
      return base === undefined
        ? 'It may lead to a login page: check `base-url` and the credential.'
        : `If this is your service, set \`base-url\` to ${base}.`;
    },
  },
  'web-page': {
    ...page('It may be a login page or a portal: check `base-url` and the credential.'),
  },
  'sign-in-page': {
    ...page('Check the credential, and then `base-url`: this is a login page or a portal.'),
  },
  'success-problem': {
    ...refusal(
      () =>
        'The status is one of success, but the body reports a failure: check what it says, or ask the operators of the service.',
    ),
  },
  'bad-request': {
    ...refusal((context) => `${adviseNamed('`scan-key` and the files')}${hintSize(context)}`),
  },
  'https-required': {
    ...refusal(() => '`base-url` must begin with https:// for this port.'),
  },
  'client-certificate-asked': {
    ...refusal(({ settings }) =>
      settings.hasClientCertificate
        ? 'The client certificate was not accepted: check `client-cert` and `client-key`.'
        : 'The service asks for a client certificate: set `client-cert` and `client-key`.',
    ),
  },
  'credential-rejected': {
    headline: (context) => describeLogin(context)[0],
    details: (context) => describeLogin(context).slice(1),
    fix: ({ settings }) => CREDENTIAL_FIXES[settings.credentialKind],
  },
  forbidden: {
    ...refusal(() => 'Check that the credential may upload for this `scan-key`.'),
  },
  'forbidden-unexplained': {
    ...refusal(
      () =>
        'Check that the credential may upload for this `scan-key`. If it may, ask the operators of the gateway in front of the service about its rules.',
    ),
  },
  'gateway-refused': {
    ...refusal(
      () =>
        'A gateway or firewall in front of the service probably refused the address of the runner, the request or the contents of the files: ask its operators.',
    ),
  },
  'csrf-refused': {
    ...refusal(
      () => 'Ask the operators of the service to exempt the view for uploads from CSRF protection.',
    ),
  },
  'route-unknown': {
    ...refusal(
      ({ settings }) =>
        `The service returned 404 for ${settings.address}: check \`base-url\`.${hintVersion(settings)}`,
    ),
  },
  'scan-unknown': {
    ...refusal(() => 'Check `scan-key`.'),
  },
  'not-found': {
    ...refusal(
      ({ settings }) =>
        `The service returned 404 for ${settings.address}: check \`base-url\` and \`scan-key\`.${hintVersion(settings)}`,
    ),
  },
  'method-refused': {
    ...refusal(
      ({ settings }) =>
        `Something other than the service responds for ${settings.address}: check \`base-url\`.${hintVersion(settings)}`,
    ),
  },
  'request-timeout': {
    ...refusal(
      () =>
        'The upload arrived too slowly: check the network between the runner and the service, and the time limit of the server for requests.',
    ),
  },
  conflict: {
    ...refusal(
      () =>
        'Check in the service whether it has a scan for this `scan-key` already. If it does, ask its operators whether to replace it or to use another key.',
    ),
  },
  'too-large': {
    headline: (context) => describeRefusal(context)[0],
    details: (context) => [
      `Files: ${context.settings.files}; the whole upload: ${context.settings.bodyBytes} bytes`,
      ...describeRefusal(context).slice(1),
    ],
    fix: () =>
      'The upload is probably too large for the service or a gateway in front of it: reduce the size of the files, or raise that limit.',
  },
  'type-refused': {
    ...refusal(
      ({ settings }) =>
        `Check that ${settings.address} is the upload address of the service. If it is, ask its operators whether a gateway refuses multipart/form-data.`,
    ),
  },
  unprocessable: {
    ...refusal(() => adviseNamed('the files, and which file is in which part')),
  },
  'rate-limited': {
    ...refusal((context) => `The service limits the rate of uploads. ${adviseLater(context)}.`),
  },
  'service-failed': {
    ...unavailable('The service failed'),
  },
  'service-problem': {
    ...refusal(
      ({ settings }) =>
        `A file may cause it (${settings.files}): give the operators of the service the trace id.`,
    ),
  },
  'service-unavailable': {
    ...unavailable('The service is not available, or a gateway in front of it cannot reach it'),
  },
  'gateway-failed': {
    ...unavailable('A gateway could not reach the service, or got no valid response from it'),
  },
  'gateway-timeout': {
    ...unavailable('A gateway stopped waiting for the service'),
  },
  'gateway-interrupted': {
    ...unavailable('A gateway sent the upload to the service, but got no whole response from it'),
  },
  refused: {
    ...refusal(
      ({ settings }) =>
        `Check that ${settings.address} is the upload address of the service. If it is, ask its operators, with the trace id.`,
    ),
  },
};

const CREDENTIAL_FIXES: Readonly<Record<UploadSettings['credentialKind'], string>> = {
  token:
    'Check `token`, and `token-header` and `token-prefix` if the service wants another scheme.',
  oidc: 'Check `oidc-audience`, and whether the service trusts OIDC tokens of this repository.',
  none: 'The service asks for a credential: set `token`, or `auth: oidc`.',
};

/** The words of a refusal: its headline and details are those of the response. */
function refusal(
  fix: Words<UploadContext>['fix'],
): Pick<Words<UploadContext>, 'headline' | 'details' | 'fix'> {
  return {
    headline: (context) => describeRefusal(context)[0],
    details: (context) => describeRefusal(context).slice(1),
    fix,
  };
}

/** The words of a page that came instead of a response of the service. */
function page(fix: string): Pick<Words<UploadContext>, 'headline' | 'details' | 'fix'> {
  return {
    headline: (context) =>
      `The response (${describeStatus(context)}) is a web page, not a response of the service: nothing was accepted.`,
    details: ({ attempt }) =>
      (attempt.response?.says ?? []).slice(0, 1).map((line) => `The page says: ${line}`),
    fix: () => fix,
  };
}

/** The words of a failure for which the workflow is not the cause. A re-run would send again what the service may have. */
function unavailable(cause: string): ReturnType<typeof refusal> {
  return refusal(
    (context) =>
      `${cause}; this workflow is not the cause. ${adviseLater(context)}, or give the operators the trace id.`,
  );
}

/** What a refusal says, at least one text: without a problem, and for a 401, its status stands before the first. */
function describeRefusal(context: UploadContext): readonly [string, ...string[]] {
  const { status = 0, says = [], problem } = context.attempt.response ?? {};
  const [first, ...others] = says;
  if (first === undefined) return [nameStatus(status)];
  if (problem !== undefined && status !== 401) return [first, ...others];
  const name = STATUS_CODES[status]?.toLowerCase() ?? '';
  const isRepeated = name !== '' && first.toLowerCase().startsWith(name);
  return [`${isRepeated ? `HTTP ${status}` : nameStatus(status)}: ${first}`, ...others];
}

/** Why a credential was rejected, and what the service asks for if its challenge does not say why. */
function describeLogin(context: UploadContext): readonly [string, ...string[]] {
  const { says = [], headers } = context.attempt.response ?? {};
  const challenge = headers?.['www-authenticate'];
  const isAsked = challenge !== undefined && !challenge.includes('error_description=');
  const asked = isAsked ? [`The service asks for: ${challenge}`] : [];
  if (says.length > 0) return [...describeRefusal(context), ...asked];
  return ['The service rejected the credential (HTTP 401).', ...asked];
}

/** What to check, whether a refusal says why or not. */
function adviseNamed(what: string): string {
  return `Check ${what}. If that does not help, ask the operators of the service, with the trace id.`;
}

/** A server that closes early may have no other words for a body that is too large. */
function hintSize({ attempt: { response, isSent } }: UploadContext): string {
  return response !== undefined && !isSent && response.says.length === 0
    ? ' The response came before everything was sent: the upload may also be too large.'
    : '';
}

function describeStatus({ attempt: { response } }: UploadContext): string {
  return nameStatus(response?.status ?? 0);
}

/** The action adds /v1 itself, but it may also be part of a gateway's path. */
function hintVersion({ basePath }: UploadSettings): string {
  return /\/v1\/*$/.test(basePath)
    ? ' It ends in /v1, which the action adds itself: remove it, unless a gateway needs it.'
    : '';
}

/** A redirect is not followed, because it would send the token and the files to another address. */
function describeRedirect(context: UploadContext): string {
  const { origin } = context.settings;
  const target = findTarget(context);
  const status = describeStatus(context);
  return target === undefined
    ? `${origin} responded with ${status} without a usable target.`
    : `${origin} redirects to ${target.origin}${showPath(target)} (${status}); redirects are not followed.`;
}

/** The target of a redirect, if it is a web address; without its secrets it may be no URL at all. */
function findTarget({ attempt: { response } }: UploadContext): URL | undefined {
  const target = URL.parse(response?.target ?? '');
  return target !== null && /^https?:$/.test(target.protocol) ? target : undefined;
}

/** The path of a URL without its parameters, which may be of a session. */
function showPath({ pathname }: URL): string {
  const path = pathname.replaceAll(/;[^/]*/g, '');
  return path === '/' ? '' : cutText(path, MAX_PATH_CHARACTERS);
}
