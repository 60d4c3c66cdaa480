import { STATUS_CODES } from 'node:http';
import { findBaseUrl } from '../service/operations.ts';
import type { FieldError, ProblemDetails } from '../service/problem.ts';
import type { ServiceResponse } from '../service/response.ts';
import { joinLines } from './clean.ts';
import { IIS_BODY_BYTES } from './upload-facts.ts';
import type { UploadFacts } from './upload-facts.ts';
import { findFirstLine, listTraceHeaders, nameStatus } from './response-facts.ts';
import { explain } from './result.ts';
import type { Explanation, Reason } from './result.ts';

/** The messages of ASP.NET Core for a body that is too large: Kestrel's, and its form reader's. */
const TOO_LARGE = /request body too large|multipart body length limit \d+ exceeded/i;
const REJECTED = 'The service rejected the credential (HTTP 401).';

const CREDENTIAL_ADVICE: Readonly<Record<UploadFacts['credentialKind'], string>> = {
  token:
    'Check `token`, and `token-header` and `token-prefix` if the service wants another scheme.',
  oidc: 'Check `oidc-audience`, and whether the service trusts OIDC tokens of this repository.',
  none: 'The service asks for a credential: set `token`, or `auth: oidc`.',
};

/** Explains a response that is not a success: by the texts of its problem, else by its status. */
export function explainRefusal(
  response: ServiceResponse,
  problem: ProblemDetails | undefined,
  facts: UploadFacts,
): Explanation {
  const reason = findReason(response, problem, facts);
  const words = describeProblem(problem, response.status);
  const [headline = describeBareResponse(response), ...details] =
    response.status === 401 ? describeLogin(response, words, problem === undefined) : words;
  const traceId = problem?.traceId;
  return {
    reason,
    headline,
    details: [...(reason === 'too-large' ? [`Files: ${facts.files}`] : []), ...details],
    advice: adviseRefusal(reason, response, isOwnProblem(problem), facts),
    traces: [
      ...(traceId === undefined ? [] : [`Trace id of the service: ${traceId}`]),
      ...(problem === undefined ? listTraceHeaders(response.headers) : []),
    ],
  };
}

function findReason(
  { status, headers }: ServiceResponse,
  problem: ProblemDetails | undefined,
  { bodyBytes }: UploadFacts,
): Reason {
  if (isTooLarge(status, problem, bodyBytes)) return 'too-large';
  if (status === 401) return 'credentials';
  // A 403 with a web page comes from a firewall, which inspects the contents of the files.
  if (status === 403 && !/html/i.test(headers['content-type'] ?? '')) return 'credentials';
  if (status === 429) return 'rate-limited';
  return problem === undefined ? 'refused' : 'problem';
}

/** The texts of a problem, the most specific first: the detail, then the field errors, then the title. */
function describeProblem(problem: ProblemDetails | undefined, status: number): readonly string[] {
  if (problem === undefined) return [];
  const { detail, title, errors } = problem;
  const words = [detail, ...errors.map(formatFieldError), title];
  const texts = [...new Set(words.filter((text) => text !== undefined))];
  // The name of the status adds nothing to other texts.
  return texts.length === 1 ? texts : texts.filter((text) => text !== STATUS_CODES[status]);
}

/**
 * Why a credential was rejected: from the problem, or from the challenge in WWW-Authenticate (RFC 6750,
 * section 3). The name of the status adds nothing.
 */
function describeLogin(
  { status, headers, text }: ServiceResponse,
  words: readonly string[],
  isBare: boolean,
): readonly string[] {
  const challenge = headers['www-authenticate'];
  const description = /\berror_description="([^"]*)"/.exec(challenge ?? '')?.[1];
  const line = isBare && description === undefined ? findFirstLine(text) : undefined;
  const texts = [...words, description ?? '', line ?? ''].filter(
    (word) => word !== '' && word !== STATUS_CODES[status],
  );
  const asked =
    challenge === undefined || description !== undefined
      ? []
      : [`The service asks for: ${challenge}`];
  return [...(texts.length === 0 ? [REJECTED] : texts), ...asked];
}

function describeBareResponse({ status, text }: ServiceResponse): string {
  const [name, line] = [nameStatus(status), findFirstLine(text)];
  return name.includes(line) ? name : `${name}: ${line}`;
}

function formatFieldError({ field, message }: FieldError): string {
  return joinLines(field.trim() === '' ? message : `${field}: ${message}`);
}

/** Whether a problem is the service's own, not the default of its framework for the status. */
function isOwnProblem(problem: ProblemDetails | undefined): boolean {
  if (problem === undefined) return false;
  const { detail, type = 'about:blank' } = problem;
  return (
    detail !== undefined || !/^(?:about:blank$|https:\/\/tools\.ietf\.org\/html\/rfc)/.test(type)
  );
}

function adviseRefusal(
  reason: Reason,
  response: ServiceResponse,
  isOwn: boolean,
  facts: UploadFacts,
): readonly string[] {
  const { status } = response;
  if (reason === 'too-large') {
    return [
      `The upload (${facts.bodyBytes} bytes) is probably too large for the service. Reduce the size of the files, or raise the limit of the service.`,
    ];
  }
  if (status === 401) return [CREDENTIAL_ADVICE[facts.credentialKind]];
  if (status === 403) {
    return reason === 'credentials'
      ? ['Check that the credential may upload for this `scan-key`.']
      : ['A web firewall probably refused the contents: ask for an exception for this path.'];
  }
  if (status === 404) {
    return isOwn
      ? ['Check `scan-key`.']
      : [`The service returned 404 for ${facts.address}: check \`base-url\`.`];
  }
  if (status === 429) {
    return ['The service limits the rate of uploads. Start the step later, or increase `retries`.'];
  }
  return status === 400 ? adviseTlsPort(findFirstLine(response.text)) : [];
}

/** Advice for the error pages of nginx about requests that do not fit its TLS port. */
function adviseTlsPort(line: string): readonly string[] {
  if (/\bSSL certificate\b/i.test(line)) {
    return ['The service asks for a client certificate: set `client-cert` and `client-key`.'];
  }
  if (/\bplain HTTP request was sent to HTTPS port\b/i.test(line)) {
    return ['`base-url` must begin with https:// for this port.'];
  }
  return [];
}

function isTooLarge(
  status: number,
  problem: ProblemDetails | undefined,
  bodyBytes: number,
): boolean {
  if (status === 413) return true;
  if (status === 404) return bodyBytes > IIS_BODY_BYTES;
  const texts = [problem?.detail ?? '', ...(problem?.errors ?? []).map(({ message }) => message)];
  return status === 400 && texts.some((text) => TOO_LARGE.test(text));
}

/** Explains a redirect. It is not followed, because it would send the token and the files to another address. */
export function explainRedirect(
  { status, headers }: ServiceResponse,
  { origin, address }: UploadFacts,
): Explanation {
  const target = URL.parse(headers.location ?? '', address);
  const isWeb = target?.protocol === 'https:' || target?.protocol === 'http:';
  if (target === null || !isWeb || headers.location === undefined) {
    return explain(
      'redirect',
      `${origin} responded with ${nameStatus(status)} without a usable target.`,
    );
  }
  const headline = `${origin} redirects to ${target.origin} (${nameStatus(status)}); redirects are not followed.`;
  const baseUrl = findBaseUrl(target);
  if (baseUrl === undefined) {
    return explain('redirect', headline, [
      'It may lead to a login page: check `base-url` and the credential.',
    ]);
  }
  return {
    reason: 'redirect',
    headline,
    details: [`Base URL there: ${baseUrl}`],
    advice: ['If this is your service, set `base-url` to this address.'],
    traces: [],
  };
}

/** Explains a web page in place of the service's response. */
export function explainWebPage({ status, headers }: ServiceResponse): Explanation {
  return {
    reason: 'web-page',
    headline: `The response (${nameStatus(status)}) is a web page, not a response of the service: nothing was accepted.`,
    details: [],
    advice: ['It may be a login page or a portal: check `base-url` and the credential.'],
    traces: listTraceHeaders(headers),
  };
}
