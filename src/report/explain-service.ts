import { STATUS_CODES } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { findBaseUrl } from '../service/operations.ts';
import type { FieldError, ProblemDetails } from '../service/problem.ts';
import type { ServiceResponse } from '../service/response.ts';
import { joinLines, stripInvisible } from './clean.ts';
import type { UploadFacts } from './explain-upload.ts';
import { explain } from './result.ts';
import type { Explanation } from './result.ts';

/** Larger bodies are over IIS's default limit, 30,000,000 bytes, which it reports as a 404 or a reset. */
export const IIS_BODY_BYTES = 30_000_000;

/** Headers in which known gateways and frameworks name a request. */
const REQUEST_ID_HEADERS = [
  'x-request-id',
  'x-correlation-id',
  'request-id',
  'cf-ray',
  'x-amzn-requestid',
  'x-amz-cf-id',
  'x-azure-ref',
  'x-ms-request-id',
  'x-cloud-trace-context',
];

const CREDENTIAL_ADVICE: Readonly<Record<UploadFacts['credentialKind'], string>> = {
  token:
    'Check the token input, and token-header and token-prefix if the service wants another scheme.',
  oidc: "Check oidc-audience, and whether the service trusts this repository's identity.",
  none: 'The service asks for a credential: give a token, or use auth: oidc.',
};

/** Explains an answer that is no success: the problem's own words first, else who answered what. */
export function explainRefusal(
  response: ServiceResponse,
  problem: ProblemDetails | undefined,
  facts: UploadFacts,
): Explanation {
  const [headline = describeBareResponse(response), ...details] = describeProblem(problem);
  const traceId = problem?.traceId;
  return {
    headline,
    details: [
      ...details,
      ...describeChallenge(response),
      ...(traceId === undefined ? [] : [`Trace id of the service: ${traceId}`]),
      ...(problem === undefined ? describeResponder(response.headers) : []),
      ...(isTooLarge(response.status, problem, facts.bodyBytes) ? [`Files: ${facts.files}`] : []),
    ],
    advice: adviseRefusal(response, problem, facts),
  };
}

/**
 * A problem's own words, the most telling first: the detail and then the title, or the title
 * together with the first of the errors that it speaks of.
 */
function describeProblem(problem: ProblemDetails | undefined): readonly string[] {
  if (problem === undefined) return [];
  const { detail, title, errors } = problem;
  const messages = errors.map(formatFieldError);
  if (detail !== undefined) {
    return [detail, ...(title === undefined || title === detail ? [] : [title]), ...messages];
  }
  if (title === undefined) return messages;
  const [first, ...others] = messages;
  return [first === undefined ? title : `${title} ${first}`, ...others];
}

/** `HTTP 502 Bad Gateway`. */
export function nameStatus(status: number): string {
  const reason = STATUS_CODES[status];
  return reason === undefined ? `HTTP ${status}` : `HTTP ${status} ${reason}`;
}

/** Who answered, as far as the headers say: the service itself is seldom the one to blame for HTML. */
function describeResponder(headers: IncomingHttpHeaders): readonly string[] {
  const names = ['server', 'via', ...REQUEST_ID_HEADERS];
  const known = names.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [`${name}: ${String(value)}`];
  });
  return known.length === 0 ? [] : [`Answered by ${known.join(', ')}`];
}

function describeBareResponse({ status, text }: ServiceResponse): string {
  const line = findFirstLine(text);
  return line === '' ? nameStatus(status) : `${nameStatus(status)}: ${line}`;
}

/** The first line of a response, or the title of a web page. */
function findFirstLine(text: string): string {
  const title = /<title(?:\s[^<>]*)?>([^<]+)/i.exec(text)?.[1];
  const lines = stripInvisible(title ?? text).split('\n');
  return lines.find((line) => line.trim() !== '')?.trim() ?? '';
}

function formatFieldError({ field, message }: FieldError): string {
  return joinLines(field.trim() === '' ? message : `${field}: ${message}`);
}

/** RFC 6750, section 3: what is wrong with a token stands in the challenge, not in the body. */
function describeChallenge({ status, headers }: ServiceResponse): readonly string[] {
  if (status !== 401) return [];
  const challenge = headers['www-authenticate'];
  if (challenge === undefined) return [];
  const description = /\berror_description="([^"]*)"/.exec(challenge)?.[1];
  return [description ?? `The service asks for: ${challenge}`];
}

function adviseRefusal(
  response: ServiceResponse,
  problem: ProblemDetails | undefined,
  facts: UploadFacts,
): readonly string[] {
  const { status, headers } = response;
  if (isTooLarge(status, problem, facts.bodyBytes)) {
    return [`The upload, ${facts.bodyBytes} bytes, is probably too large for the service.`];
  }
  if (status === 401) return [CREDENTIAL_ADVICE[facts.credentialKind]];
  if (status === 403 && /html/i.test(headers['content-type'] ?? '')) {
    return [
      'A web firewall probably refused what is in the report: ask for an exception for this path.',
    ];
  }
  if (status === 403) return ['The credential is known but may not upload for this scan-key.'];
  if (status === 404) return [`Check base-url: ${facts.address} is not there.`];
  if (status === 429)
    return ['The service limits the rate of uploads: start the step later, or raise retries.'];
  return status === 400 ? adviseTlsPort(findFirstLine(response.text)) : [];
}

/** What nginx says, in a page of its own, of a request that is not what its TLS port is for. */
function adviseTlsPort(line: string): readonly string[] {
  if (/\bSSL certificate\b/i.test(line)) {
    return ['The service asks for a client certificate: give it as client-cert and client-key.'];
  }
  if (/\bplain HTTP request was sent to HTTPS port\b/i.test(line)) {
    return ['base-url must begin with https:// for this port.'];
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
  return status === 400 && texts.some((text) => /request body too large/i.test(text));
}

/** Explains a redirect. None is followed: it would take the token and the files to an address nobody named. */
export function explainRedirect(
  { status, headers }: ServiceResponse,
  { origin, address }: UploadFacts,
): Explanation {
  const target = URL.parse(headers.location ?? '', address);
  const isWeb = target?.protocol === 'https:' || target?.protocol === 'http:';
  if (target === null || !isWeb || headers.location === undefined) {
    return explain(`${origin} responded with ${nameStatus(status)} without a usable target.`);
  }
  const headline = `${origin} redirects to ${target.origin} (${nameStatus(status)}); redirects are not followed.`;
  const baseUrl = findBaseUrl(target);
  if (baseUrl === undefined) {
    return explain(headline, ['It may lead to a login page: check base-url and the credential.']);
  }
  return {
    headline,
    details: [`base-url there: ${baseUrl}`],
    advice: ['If that is the service, set base-url to its address.'],
  };
}

/** Explains a web page in place of the service's response. */
export function explainWebPage({ status, headers }: ServiceResponse): Explanation {
  return {
    headline: `The response (${nameStatus(status)}) is a web page, not the service's: nothing was accepted.`,
    details: describeResponder(headers),
    advice: ['A login page or a portal stands at this address: check base-url and the credential.'],
  };
}
