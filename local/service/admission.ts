import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { findOperation, type Operation } from './contract.ts';
import { answerEmpty, answerProblem, answerTooLarge, answerUnreadableForm } from './problem.ts';
import type { Answer } from './problem.ts';
import type { Settings } from './settings.ts';

/** What a request's headers alone decide. */
export type Admission =
  | { readonly kind: 'refused'; readonly answer: Answer }
  | { readonly kind: 'admitted'; readonly operation: Operation };

const FORM = /^multipart\/form-data\s*(?:;|$)/i;
const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i;

// FormOptions.MultipartBoundaryLengthLimit of ASP.NET Core.
const MAX_BOUNDARY_CHARS = 128;

/**
 * Checks path, method, credential, content type and declared length, in ASP.NET Core's order, so
 * that a refusal can go out before the body is asked for.
 */
export function admit(request: IncomingMessage, settings: Settings, traceId: string): Admission {
  const operation = findOperation(request.url ?? '', settings.prefix);
  if (operation === undefined) {
    return refuse(answerEmpty(404));
  }
  if (request.method !== 'POST') {
    return refuse(answerEmpty(405, { Allow: 'POST' }));
  }
  const answer =
    checkCredential(request.headers, settings) ??
    checkContentType(request.headers['content-type'] ?? '', traceId) ??
    checkLength(request.headers, settings.maxBodyBytes, traceId);
  return answer === undefined ? { kind: 'admitted', operation } : refuse(answer);
}

function refuse(answer: Answer): Admission {
  return { kind: 'refused', answer };
}

function checkCredential(headers: IncomingHttpHeaders, settings: Settings): Answer | undefined {
  const { token, tokenHeader, tokenPrefix } = settings;
  const sent = headers[tokenHeader.toLowerCase()];
  if (token === undefined || (typeof sent === 'string' && isCredential(sent, tokenPrefix, token))) {
    return undefined;
  }
  const scheme = tokenPrefix === '' ? 'ApiKey' : tokenPrefix;
  const error = ' error="invalid_token", error_description="The token is not valid"';
  return answerEmpty(401, { 'WWW-Authenticate': sent === undefined ? scheme : scheme + error });
}

function isCredential(sent: string, prefix: string, token: string): boolean {
  if (prefix === '') {
    return sent === token;
  }
  // A scheme's name has no case (RFC 9110, section 11.1); the credential does.
  const scheme = sent.slice(0, prefix.length).toLowerCase();
  return scheme === prefix.toLowerCase() && sent.slice(prefix.length) === ` ${token}`;
}

function checkContentType(contentType: string, traceId: string): Answer | undefined {
  if (!FORM.test(contentType)) {
    return answerProblem(415, traceId);
  }
  const match = BOUNDARY.exec(contentType);
  const boundary = match?.[1] ?? match?.[2] ?? '';
  if (boundary === '') {
    return answerUnreadableForm('Missing content-type boundary.', traceId);
  }
  return boundary.length > MAX_BOUNDARY_CHARS
    ? answerUnreadableForm(
        `Multipart boundary length limit ${MAX_BOUNDARY_CHARS} exceeded.`,
        traceId,
      )
    : undefined;
}

function checkLength(
  headers: IncomingHttpHeaders,
  maxBodyBytes: number,
  traceId: string,
): Answer | undefined {
  const declared = Number(headers['content-length'] ?? 0);
  return declared > maxBodyBytes ? answerTooLarge(maxBodyBytes, traceId) : undefined;
}
