import { STATUS_CODES } from 'node:http';
import { findBaseUrl } from '../../service/operations.ts';
import type { FieldError } from '../../service/problem.ts';
import type { UploadSettings } from '../../service/settings.ts';
import type { ResponseSituation } from '../../situations.ts';
import { joinLines } from '../clean.ts';
import { findFirstLine, nameStatus } from '../response-facts.ts';
import type { UploadContext, Words } from './context.ts';

const LOGIN_PAGE = 'It may be a login page or a portal: check `base-url` and the credential.';

/** The words for what the service, or something in its place, responds. */
export const RESPONSE_WORDS: Readonly<Record<ResponseSituation, Words<UploadContext>>> = {
  redirect: {
    means: 'The response is a redirect.',
    headline: describeRedirect,
    fix: ({ attempt: { texts } }) => {
      const base = texts.target && findBaseUrl(new URL(texts.target));
      return base === undefined
        ? 'It may lead to a login page: check `base-url` and the credential.'
        : `If this is your service, set \`base-url\` to ${base}.`;
    },
  },
  'web-page': {
    means: 'The response is a web page.',
    headline: (context) =>
      `The response (${describeStatus(context)}) is a web page, not a response of the service: nothing was accepted.`,
    fix: () => LOGIN_PAGE,
  },
  'success-problem': {
    means: 'The response has a status of success and a problem.',
    ...refusal(
      () => 'The status and the body contradict each other: ask the operators of the service.',
    ),
  },
  'bad-request': {
    means: 'The service refuses the request (400).',
    ...refusal(
      () =>
        'Check `scan-key` and the files that the response names. If it names none, ask the operators of the service, with the trace id.',
    ),
  },
  'https-required': {
    means: 'A plain HTTP request was sent to a TLS port.',
    ...refusal(() => '`base-url` must begin with https:// for this port.'),
  },
  'client-certificate-asked': {
    means: 'The service asks for a client certificate.',
    ...refusal(
      () => 'The service asks for a client certificate: set `client-cert` and `client-key`.',
    ),
  },
  'credential-rejected': {
    means: 'The service rejects the credential (401).',
    headline: (context) => describeLogin(context)[0],
    details: (context) => describeLogin(context).slice(1),
    fix: ({ settings }) => CREDENTIAL_FIXES[settings.credentialKind],
  },
  forbidden: {
    means: 'The credential may not upload (403).',
    ...refusal(() => 'Check that the credential may upload for this `scan-key`.'),
  },
  firewall: {
    means: 'A firewall refuses the upload (403 with a web page).',
    ...refusal(
      () => 'A web firewall probably refused the contents: ask for an exception for this path.',
    ),
  },
  'route-unknown': {
    means: 'Nothing responds for this path (404).',
    ...refusal(
      ({ settings }) =>
        `The service returned 404 for ${settings.address}: check \`base-url\`.${hintVersion(settings)}`,
    ),
  },
  'scan-unknown': {
    means: 'The service does not know the scan (404 with a reason).',
    ...refusal(() => 'Check `scan-key`.'),
  },
  'method-refused': {
    means: 'The address takes no uploads (405).',
    ...refusal(
      ({ settings }) =>
        `Something other than the service responds for ${settings.address}: check \`base-url\`.${hintVersion(settings)}`,
    ),
  },
  'request-timeout': {
    means: 'The server did not get the whole upload in time (408).',
    ...refusal(
      () =>
        'The upload arrived too slowly: check the network between the runner and the service, and the time limit of the server for requests.',
    ),
  },
  conflict: {
    means: 'The service refuses the scan in its present state (409).',
    ...refusal(() => 'Check in the service whether it has a scan for this `scan-key` already.'),
  },
  'too-large': {
    means: 'The upload is too large for the service (413).',
    headline: (context) => describeRefusal(context)[0],
    details: (context) => [
      `Files: ${context.settings.files}; the whole upload: ${context.settings.bodyBytes} bytes`,
      ...describeRefusal(context).slice(1),
    ],
    fix: () =>
      'The upload is probably too large for the service: reduce the size of the files, or raise the limit of the service.',
  },
  'type-refused': {
    means: 'The service does not take this type of content (415).',
    ...refusal(
      ({ settings }) =>
        `Check that ${settings.address} is the upload address of the service. If it is, ask its operators whether a gateway refuses multipart/form-data.`,
    ),
  },
  unprocessable: {
    means: 'The service refuses the contents (422).',
    ...refusal(
      () =>
        'Check the files that the response names, and which file is in which part. If it names none, ask the operators of the service, with the trace id.',
    ),
  },
  'rate-limited': {
    means: 'The service limits the rate of uploads (429).',
    ...refusal(() => 'The service limits the rate of uploads. Start the step later.'),
  },
  'service-failed': {
    means: 'The service failed (500 without a problem).',
    ...refusal(adviseUnavailable),
  },
  'service-problem': {
    means: 'The service failed on this upload (500 with a problem).',
    ...refusal(
      ({ settings }) =>
        `A file may cause it (${settings.files}): give the operators of the service the trace id.`,
    ),
  },
  'service-unavailable': {
    means: 'The service is not available (503, 425).',
    ...refusal(adviseUnavailable),
  },
  'gateway-failed': {
    means: 'A gateway got no response of the service (502, 504, 520-524).',
    ...refusal(adviseUnavailable),
  },
  refused: {
    means: 'The service refuses the upload with another status.',
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

/**
 * What a refusal says, at least one text. The texts of a problem, the most specific first: the detail, then
 * the field errors, then the title. Without one the status and the first line of the body.
 */
function describeRefusal(context: UploadContext): readonly [string, ...string[]] {
  const [first, ...others] = listProblemTexts(context);
  if (first !== undefined) return [first, ...others];
  const [name, line] = [describeStatus(context), findFirstLine(context.attempt.texts.body)];
  return [name.includes(line) ? name : `${name}: ${line}`];
}

function listProblemTexts({ attempt: { response, texts } }: UploadContext): readonly string[] {
  if (texts.problem === undefined) return [];
  const { detail, title, errors } = texts.problem;
  const words = [detail, ...errors.map(formatFieldError), title];
  const known = [...new Set(words.filter((text) => text !== undefined))];
  // The name of the status adds nothing to other texts.
  const isName = (text: string): boolean => text === STATUS_CODES[response?.status ?? 0];
  return known.length === 1 ? known : known.filter((text) => !isName(text));
}

/**
 * Why a credential was rejected: from the problem, or from the challenge in WWW-Authenticate (RFC 6750,
 * section 3). The name of the status adds nothing.
 */
function describeLogin(context: UploadContext): readonly [string, ...string[]] {
  const { texts } = context.attempt;
  const challenge = texts.headers['www-authenticate'];
  const description = /\berror_description="([^"]*)"/.exec(challenge ?? '')?.[1];
  const isBare = texts.problem === undefined && description === undefined;
  const line = isBare ? findFirstLine(texts.body) : '';
  const [first = 'The service rejected the credential (HTTP 401).', ...others] = [
    ...listProblemTexts(context),
    description ?? '',
    line,
  ].filter((word) => word !== '' && word !== STATUS_CODES[401]);
  const isAsked = challenge !== undefined && description === undefined;
  return [first, ...others, ...(isAsked ? [`The service asks for: ${challenge}`] : [])];
}

function formatFieldError({ field, message }: FieldError): string {
  return joinLines(field.trim() === '' ? message : `${field}: ${message}`);
}

/** A re-run would send again what the service may have. */
function adviseUnavailable({ result }: UploadContext): string {
  const next =
    result === 'unconfirmed'
      ? 'Check whether the service has the scan before you run the step again'
      : 'Re-run the failed jobs later';
  return `The service failed; this workflow is not the cause. ${next}, or give its operators the trace id.`;
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
  const { settings, attempt } = context;
  const target = URL.parse(attempt.texts.target ?? '');
  const status = describeStatus(context);
  return target?.protocol === 'https:' || target?.protocol === 'http:'
    ? `${settings.origin} redirects to ${target.origin} (${status}); redirects are not followed.`
    : `${settings.origin} responded with ${status} without a usable target.`;
}
