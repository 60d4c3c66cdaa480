import type { ResponseSituation } from '../situations.ts';
import type { Attempt, ServiceResponse } from './attempt.ts';
import type { UploadSettings } from './settings.ts';

/** What an attempt's settings decide about a refusal. */
type RefusalSettings = Pick<UploadSettings, 'bodyBytes' | 'isSecure'>;

/** Larger bodies are over IIS's default limit, 30,000,000 bytes, which it reports as a 404 or a reset. */
export const IIS_BODY_BYTES = 30_000_000;

const REFUSALS: ReadonlyMap<number, ResponseSituation> = new Map([
  [400, 'bad-request'],
  [401, 'credential-rejected'],
  [405, 'method-refused'],
  [408, 'request-timeout'],
  [409, 'conflict'],
  [413, 'too-large'],
  [415, 'type-refused'],
  [425, 'service-unavailable'],
  [429, 'rate-limited'],
  [503, 'service-unavailable'],
  // Of gateways only; the service behind them may have the whole body.
  ...[502, 520, 521, 522, 523].map((status) => [status, 'gateway-failed'] as const),
  ...[504, 524].map((status) => [status, 'gateway-timeout'] as const),
]);

/** Finds out what a response is that is no success. */
export function judgeRefusal(
  response: ServiceResponse,
  { isSent }: Pick<Attempt, 'isSent'>,
  settings: RefusalSettings,
): ResponseSituation {
  const { status, marks } = response;
  if (status < 400) return 'redirect';
  if (isSent && status >= 502 && status <= 504 && marks.has('had-request')) {
    return 'gateway-interrupted';
  }
  if (status < 500 && status !== 401 && marks.has('csrf')) return 'csrf-refused';
  if (marks.has('too-large') && [400, 404, 500].includes(status)) return 'too-large';
  if (status === 400) return judgeBadRequest(response, settings);
  if (status === 403) return judgeForbidden(response);
  if (status === 404) return judgeNotFound(response, settings);
  if (status === 422) return marks.has('scan-key') ? 'bad-request' : 'unprocessable';
  // A 500 with a problem is the service's own decision; without one it may be a temporary crash.
  if (status === 500) return response.problem !== undefined ? 'service-problem' : 'service-failed';
  return REFUSALS.get(status) ?? 'refused';
}

/** Whether the service itself seems to respond, and not a server or a gateway in front of it. */
function isServices({ kind }: ServiceResponse): boolean {
  return kind === 'problem' || kind === 'json';
}

function judgeBadRequest(
  response: ServiceResponse,
  { isSecure }: RefusalSettings,
): ResponseSituation {
  const { marks } = response;
  if (isServices(response)) return 'bad-request';
  if (marks.has('tls')) return isSecure ? 'client-certificate-asked' : 'https-required';
  return marks.has('gateway') ? 'gateway-refused' : 'bad-request';
}

function judgeForbidden(response: ServiceResponse): ResponseSituation {
  const { marks } = response;
  if (isServices(response) || marks.has('challenge')) return 'forbidden';
  if (marks.has('client-certificate')) return 'client-certificate-asked';
  if (marks.has('gateway')) return 'gateway-refused';
  if (response.kind !== 'web-page') return 'forbidden-unexplained';
  return marks.has('sign-in') ? 'forbidden' : 'gateway-refused';
}

function judgeNotFound(
  { marks, problem }: ServiceResponse,
  { bodyBytes }: RefusalSettings,
): ResponseSituation {
  if (bodyBytes > IIS_BODY_BYTES && marks.has('iis')) return 'too-large';
  if (marks.has('route')) return 'route-unknown';
  if (marks.has('text')) return 'scan-unknown';
  return problem !== undefined ? 'not-found' : 'route-unknown';
}
