import type { Diagnosis } from '../service/connection-error.ts';
import type { Phase } from '../service/phase-timer.ts';
import { IIS_BODY_BYTES } from './upload-facts.ts';
import type { UploadFacts } from './upload-facts.ts';
import { explain } from './result.ts';
import type { Explanation } from './result.ts';

const PHASES: Readonly<Record<Phase, string>> = {
  connect: 'while connecting',
  continue: 'before the files were sent',
  send: 'while the files were being sent',
  head: 'after everything was sent, before a response arrived',
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
  const { origin, hostname, hasOwnCa } = facts;
  switch (fault) {
    case 'certificate':
      return explain('certificate', `The certificate of ${origin} is not trusted: ${text}`, [
        adviseCertificate(text, hasOwnCa, 'service', '`base-url`'),
      ]);
    case 'proxy-certificate': {
      const headline = `The certificate of the proxy ${facts.proxyHost} is not trusted: ${text}`;
      return explain('certificate', headline, [
        adviseCertificate(text, hasOwnCa, 'proxy', 'the proxy variable'),
      ]);
    }
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
      return explain('proxy', `No connection to ${origin} through the proxy: ${text}`, [
        PROXY_ADVICE,
      ]);
    case 'proxy-refused':
      return explain('proxy', `The proxy refused the connection to ${origin}: ${text}`, [
        "Check the proxy's credentials and whether it allows this host and port.",
      ]);
    case 'not-http':
      return explain('connection', `The server at ${origin} does not speak HTTP: ${text}`, [
        PORT_ADVICE,
      ]);
    case 'connection':
      return explainBrokenConnection(`failed ${PHASES[phase]}: ${text}`, phase, facts);
  }
}

/** In TLS 1.2 a missing client certificate is only a handshake failure, without its own alert. */
function adviseHandshake(text: string): string {
  return /alert handshake failure/i.test(text)
    ? `If the service asks for a client certificate: ${CLIENT_CERTIFICATE_ADVICE}`
    : PORT_ADVICE;
}

function adviseCertificate(
  text: string,
  hasOwnCa: boolean,
  owner: 'service' | 'proxy',
  setting: string,
): string {
  if (/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/.test(text)) {
    return `Renew the ${owner}'s certificate, or correct this machine's clock.`;
  }
  if (/ALTNAME|HOSTNAME_MISMATCH/.test(text)) {
    return `The certificate is for other names: check the host in ${setting}.`;
  }
  return hasOwnCa
    ? `No certificate in \`ca-cert\` issued it. Add the certificate of its CA, not that of the ${owner}.`
    : 'For a private CA, or a proxy that inspects TLS, set `ca-cert` to the certificate of the CA.';
}

/** Explains a phase that reached its limit without progress. */
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

/** A phase in words: `while connecting`. */
export function namePhase(phase: Phase): string {
  return PHASES[phase];
}

/**
 * A service that refuses early closes the connection, and its response may be lost. So a reset while
 * sending can be a refusal or a network failure.
 */
function explainBrokenConnection(what: string, phase: Phase, facts: UploadFacts): Explanation {
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
      `Check the network, and whether the service refuses the upload${isLarge ? ' (it may be too large)' : ''}.`,
    ],
    traces: [],
  };
}
