import type { Diagnosis } from '../service/connection-error.ts';
import type { Phase } from '../service/phase-timer.ts';
import { IIS_BODY_BYTES } from './explain-service.ts';
import type { UploadFacts } from './explain-upload.ts';
import { explain } from './result.ts';
import type { Explanation } from './result.ts';

const PHASES: Readonly<Record<Phase, string>> = {
  connect: 'while connecting',
  continue: 'before the files were sent',
  send: 'while the files were being sent',
  head: 'after everything was sent, before a response came',
  body: 'while the response was being read',
};

const PROXY_ADVICE = 'Check the proxy variables (https_proxy, http_proxy, no_proxy) of the job.';
const PORT_ADVICE = 'Check the scheme and the port in `base-url`.';
const CLIENT_CERTIFICATE_ADVICE = 'Set `client-cert` and `client-key`.';

/** Explains a connection that failed in some phase, and names the input that fixes it. */
export function explainConnection(
  { fault, text }: Diagnosis,
  phase: Phase,
  facts: UploadFacts,
): Explanation {
  const { origin, hostname } = facts;
  switch (fault) {
    case 'certificate':
      return explain('certificate', `The certificate of ${origin} is not trusted: ${text}`, [
        adviseCertificate(text, facts.hasOwnCa),
      ]);
    case 'client-certificate':
      return explain('certificate', `${origin} asks for a client certificate: ${text}`, [
        CLIENT_CERTIFICATE_ADVICE,
      ]);
    case 'tls':
      return explain('connection', `TLS with ${origin} failed: ${text}`, [adviseHandshake(text)]);
    case 'name':
      return explain('name', `The name ${hostname} does not resolve: ${text}`, [
        'Check `base-url`. A name of a private network needs a runner inside it.',
      ]);
    case 'proxy-name':
    case 'proxy':
      return explain('proxy', `The proxy gave no connection to ${origin}: ${text}`, [PROXY_ADVICE]);
    case 'proxy-refused':
      return explain('proxy', `The proxy refused the connection to ${origin}: ${text}`, [
        "Check the proxy's credentials and whether it allows this host and port.",
      ]);
    case 'not-http':
      return explain('connection', `The server at ${origin} does not speak HTTP: ${text}`, [
        PORT_ADVICE,
      ]);
    case 'connection':
      return explainBrokenLine(`failed ${PHASES[phase]}: ${text}`, phase, facts);
  }
}

/** TLS 1.2 has no word of its own for a client certificate that is missing. */
function adviseHandshake(text: string): string {
  return /alert handshake failure/i.test(text)
    ? `If the service asks for a client certificate: ${CLIENT_CERTIFICATE_ADVICE}`
    : PORT_ADVICE;
}

function adviseCertificate(text: string, hasOwnCa: boolean): string {
  if (/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/.test(text)) {
    return "The service's certificate has to be renewed, or this machine's clock is wrong.";
  }
  if (/ALTNAME|HOSTNAME_MISMATCH/.test(text)) {
    return 'The certificate is for other names: check the host in `base-url`.';
  }
  return hasOwnCa
    ? 'No certificate in `ca-cert` issued it: add the one of the CA that did, not that of the service.'
    : 'For a private CA, or a proxy that inspects TLS, set `ca-cert` to the certificate of the CA.';
}

/** Explains a phase in which nothing happened for as long as it may take. */
export function explainStall(phase: Phase, limitMs: number, facts: UploadFacts): Explanation {
  const { origin, proxyHost } = facts;
  const way = proxyHost === undefined ? '' : ` (through the proxy ${proxyHost})`;
  return explain(
    'stalled',
    `No data was sent to or received from ${origin}${way} for ${limitMs / 1000} s ${PHASES[phase]}.`,
    [
      ...(phase === 'connect' && proxyHost !== undefined ? [PROXY_ADVICE] : []),
      ...(phase === 'head'
        ? []
        : ['Increase `stall-timeout-seconds` if the service needs longer.']),
    ],
  );
}

/** Where a phase stands in the way of an upload. */
export function namePhase(phase: Phase): string {
  return PHASES[phase];
}

/**
 * A service that refuses early closes the connection, and what it said may be lost with it: a reset
 * while sending can be a refusal as well as a broken line.
 */
function explainBrokenLine(what: string, phase: Phase, facts: UploadFacts): Explanation {
  const headline = `The connection to ${facts.origin} ${what}`;
  if (phase === 'connect') {
    const advice =
      'Check that the service is running, and the scheme, host and port in `base-url`.';
    return explain('connection', headline, [advice]);
  }
  if (phase !== 'send') return explain('connection', headline);
  const isLarge = facts.bodyBytes > IIS_BODY_BYTES;
  return {
    reason: 'connection',
    headline,
    details: isLarge ? [`Files: ${facts.files}`] : [],
    advice: [
      `The network failed, or the service refused the upload${isLarge ? ' (it may be too large)' : ''} and closed the connection.`,
    ],
    traces: [],
  };
}
