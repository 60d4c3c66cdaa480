import { respond, respondEarly } from './case.ts';
import type { Cases } from './case.ts';

const HTML = { headers: { 'content-type': 'text/html' }, body: '<html><title>No</title></html>' };
const PROBLEM = {
  headers: { 'content-type': 'application/problem+json' },
  body: '{"detail":"The service says no."}',
};
const TLS_PORT = '<title>400 The plain HTTP request was sent to HTTPS port</title>';

function makePage(title: string): typeof HTML {
  return { ...HTML, body: `<html><title>${title}</title></html>` };
}

/** What the service, or something in its place, responds to a whole upload. */
export const RESPONSE_CASES = {
  redirect: [
    respond(307, { headers: { location: 'https://new.example/a/v1/scanner/upload-file' } }),
    respond(302, { headers: { location: 'https://login.example/' } }),
  ],
  'web-page': respond(200, HTML, { kind: 'web-page' }),
  'success-refused': respond(200, PROBLEM, { kind: 'problem' }),
  invalid: [respond(400), respond(400, PROBLEM), respond(409, PROBLEM), respond(422, PROBLEM)],
  'https-required': respond(400, { body: TLS_PORT }),
  'client-certificate-asked': respond(403, makePage('No client certificate was sent')),
  'credential-rejected': respond(401),
  forbidden: [respond(403), respond(403, PROBLEM), respond(403, HTML)],
  'not-found': [respond(404), respond(404, PROBLEM), respond(404, { body: '{"status":404}' })],
  'request-timeout': respond(408),
  'too-large': respond(413),
  'rate-limited': respond(429),
  'service-failed': respond(500),
  'service-problem': respond(500, PROBLEM),
  unavailable: respond(503),
  'gateway-failed': [respondEarly(502), respond(502)],
  'gateway-timeout': respond(504),
  'gateway-interrupted': respond(503, { body: 'reset reason: connection termination' }),
  refused: [respond(405), respond(415), respond(501)],
} satisfies Partial<Cases>;
