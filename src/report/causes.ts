import { CancelledError } from '../errors.ts';
import { findBaseUrl } from '../service/operations.ts';
import type { ServiceResponse } from '../service/response.ts';
import type { Cause } from '../service/verdict.ts';
import { explainConnection, explainStall, namePhase } from './connections.ts';
import { explain } from './explanation.ts';
import type { Explanation, Redact, UploadFacts } from './explanation.ts';
import { describeResponder, explainRefusal, nameStatus } from './refusals.ts';

/**
 * Puts into sentences what an attempt ended with. A response is redacted before anything is taken out
 * of it: half of a secret could not be recognised.
 */
export function explainCause(cause: Cause, facts: UploadFacts, redact: Redact): Explanation {
  const { origin } = facts.url;
  switch (cause.kind) {
    case 'accepted':
      return explain('The service accepted the upload.');
    case 'refused':
      return explainRefusal(redactResponse(cause.response, redact), cause.problem, facts);
    case 'redirect':
      return explainRedirect(redactResponse(cause.response, redact), facts.url);
    case 'web-page':
      return explainWebPage(redactResponse(cause.response, redact));
    case 'early-success':
      return explain(
        `${origin} responded with ${nameStatus(cause.response.status)} before everything was sent: it cannot have the whole upload.`,
      );
    case 'truncated-response':
      return explain(
        `The response of ${origin} (${nameStatus(cause.response.status)}) was truncated${cause.error === undefined ? '.' : `: ${cause.error.message}`}`,
      );
    case 'stalled':
      return explainStall(cause.phase, cause.limitMs, facts);
    case 'connection':
      return explainConnection(cause.diagnosis, cause.phase, facts);
    case 'file':
      return explain(cause.error.message);
    case 'oidc':
      return explain(
        cause.error.message,
        cause.error.isPermission ? ['Give the job the permission id-token: write.'] : [],
      );
    case 'aborted': {
      const where = cause.phase === undefined ? '' : ` It came ${namePhase(cause.phase)}.`;
      return explain(`${cause.reason.message}${where}`, adviseAborted(cause.reason));
    }
  }
}

function redactResponse(response: ServiceResponse, redact: Redact): ServiceResponse {
  const headers = Object.entries(response.headers).map(([name, value]) => {
    return [name, Array.isArray(value) ? value.map(redact) : value && redact(value)] as const;
  });
  return { ...response, headers: Object.fromEntries(headers), text: redact(response.text) };
}

/** A redirect is never followed: it would take the token and the files to an address nobody named. */
function explainRedirect({ status, headers }: ServiceResponse, url: URL): Explanation {
  const target = URL.parse(headers.location ?? '', url.href);
  const isWeb = target?.protocol === 'https:' || target?.protocol === 'http:';
  if (target === null || !isWeb || headers.location === undefined) {
    return explain(`${url.origin} responded with ${nameStatus(status)} without a usable target.`);
  }
  const headline = `${url.origin} redirects to ${target.origin} (${nameStatus(status)}); redirects are not followed.`;
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

function explainWebPage({ status, headers }: ServiceResponse): Explanation {
  return {
    headline: `The response (${nameStatus(status)}) is a web page, not the service's: nothing was accepted.`,
    details: describeResponder(headers),
    advice: ['A login page or a portal stands at this address: check base-url and the credential.'],
  };
}

function adviseAborted(reason: Error): readonly string[] {
  return reason instanceof CancelledError ? [] : ['The limit is timeout-seconds.'];
}
