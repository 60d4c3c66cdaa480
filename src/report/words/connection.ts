import type { ConnectionError } from '../../service/attempt.ts';
import { isClosed, judgeCertificate } from '../../service/judge.ts';
import type { ConnectionSituation, UploadResult } from '../../situations.ts';
import { nameStatus } from '../response-facts.ts';
import { formatShare } from '../units.ts';
import { STATE_WORDS } from './context.ts';
import type { UploadContext, Words } from './context.ts';

const CHECK_ADDRESS =
  'Check that the service is running, and the scheme, host and port in `base-url`.';
const CHECK_PORT = 'Check the scheme and the port in `base-url`.';
const CHECK_PROXY = 'Check the proxy variables (https_proxy, http_proxy, no_proxy) of the job.';
const SET_CLIENT_CERTIFICATE = 'Set `client-cert` and `client-key`.';
/** A TLS port may reset a plain request before its response, or after it has taken all of it. */
const MAY_BE_TLS = 'If the port expects TLS, `base-url` must begin with https://.';
const CHECK_CLIENT_CERTIFICATE =
  'Check that `client-cert` is valid, and that the service trusts its CA.';
const CHECK_SERVICE = 'Check whether the service has the scan before you run the step again.';

/** The words for what happens to a connection. */
export const CONNECTION_WORDS: Readonly<Record<ConnectionSituation, Words<UploadContext>>> = {
  'name-unknown': {
    headline: (context) => `The name ${context.settings.hostname} does not resolve${why(context)}`,
    fix: () => 'Check `base-url`. A name of a private network needs a runner inside it.',
  },
  'name-unanswered': {
    headline: (context) =>
      `The name ${context.settings.hostname} could not be looked up: no response of the name server within ${limit(context)}.`,
    fix: () => "Check the runner's name server, or use a runner inside the network.",
  },
  'connect-timeout': {
    headline: (context) =>
      `No connection to ${context.settings.host}${way(context)} within ${limit(context)}.`,
    fix: () =>
      'A firewall may block it: check the port in `base-url`, or use a runner inside the network.',
  },
  'connection-refused': {
    headline: (context) => `${context.settings.host} refused the connection${why(context)}`,
    fix: () => CHECK_ADDRESS,
  },
  'connection-failed': {
    headline: (context) =>
      `The connection to ${context.settings.origin} failed while connecting${why(context)}`,
    fix: () => CHECK_ADDRESS,
  },
  'tls-failed': {
    headline: (context) => `TLS with ${context.settings.origin} failed${why(context)}`,
    fix: () => CHECK_PORT,
  },
  'tls-handshake-refused': {
    headline: (context) => `TLS with ${context.settings.origin} failed${why(context)}`,
    fix: ({ settings }) =>
      settings.hasClientCertificate
        ? CHECK_CLIENT_CERTIFICATE
        : 'If the service asks for a client certificate, set `client-cert` and `client-key`.',
  },
  'tls-to-http-port': {
    headline: (context) => `${context.settings.host} does not speak TLS${why(context)}`,
    fix: () => CHECK_PORT,
  },
  'http-to-tls-port': {
    headline: ({ settings }) => `${settings.host} speaks TLS, not plain HTTP.`,
    fix: ({ result }) => afterCheck(result, '`base-url` must begin with https:// for this port.'),
  },
  'certificate-expired': {
    ...certificate("Renew the service's certificate, or correct the clock of the runner."),
  },
  'certificate-not-yet-valid': {
    ...certificate('Correct the clock of the runner, or wait until the certificate is valid.'),
  },
  'certificate-other-name': {
    ...certificate('The certificate is for other names: check the host in `base-url`.'),
  },
  'certificate-self-signed': {
    ...certificate(
      "Set `ca-cert` to this certificate, if it is your service's: a self-signed one is its own CA.",
    ),
  },
  'certificate-unknown-issuer': {
    headline: distrust,
    fix: ({ settings: { hasOwnCa, proxyHost } }) =>
      proxyHost === undefined
        ? adviseIssuer(hasOwnCa, 'service')
        : `The proxy ${proxyHost} may inspect TLS: add its CA to \`ca-cert\`. If it does not, add the CA of the service.`,
  },
  'certificate-invalid': {
    ...certificate('Ask the operators of the service for a valid certificate.'),
  },
  'client-certificate-missing': {
    headline: (context) =>
      `${context.settings.origin} asks for a client certificate${why(context)}`,
    fix: () => SET_CLIENT_CERTIFICATE,
  },
  'client-certificate-refused': {
    headline: (context) =>
      `${context.settings.origin} refused the client certificate${why(context)}`,
    fix: () => CHECK_CLIENT_CERTIFICATE,
  },
  'proxy-name-unknown': {
    headline: (context) =>
      `The name of the proxy ${proxy(context)} does not resolve${why(context)}`,
    fix: () => CHECK_PROXY,
  },
  'proxy-timeout': {
    headline: (context) =>
      `The proxy ${proxy(context)} opened no connection to ${context.settings.host} within ${limit(context)}.`,
    fix: () => CHECK_PROXY,
  },
  'proxy-unreachable': {
    headline: (context) => `No connection to the proxy ${proxy(context)}${why(context)}`,
    fix: () => CHECK_PROXY,
  },
  'proxy-certificate': {
    headline: (context) =>
      `The certificate of the proxy ${proxy(context)} is not trusted${why(context)}`,
    fix: adviseProxyCertificate,
  },
  'proxy-credentials': {
    ...refusedByProxy('refused the connection to'),
    fix: () => "Check the credentials in the proxy's URL (https_proxy, http_proxy).",
  },
  'proxy-closed': {
    headline: describeProxyEnd,
    fix: ({ settings }) =>
      `Check the host and port in \`base-url\`, and ask the operators of the proxy whether it allows ${settings.host}.`,
  },
  'proxy-refused': {
    ...refusedByProxy('refused the connection to'),
    fix: ({ settings }) => `Ask the operators of the proxy to allow ${settings.host}.`,
  },
  'proxy-failed': {
    ...refusedByProxy('could not reach'),
    fix: () => 'Check the host in `base-url`, and that the service is up.',
  },
  'not-http': {
    headline: (context) =>
      `The server at ${context.settings.origin} does not speak HTTP${why(context)}`,
    fix: ({ result }) => afterCheck(result, CHECK_PORT),
  },
  'connection-broken': {
    headline: describeBreak,
    // A service that refuses early closes the connection, and its response may be lost.
    fix: (context) =>
      `${mayBeTls(context)}The service may have refused the upload: check its size limit${orCredential(context)}. If it did not, check the network.`,
  },
  stalled: {
    headline: describeStall,
    fix: ({ result }) =>
      `${result === 'unconfirmed' ? CHECK_SERVICE : 'Check the network.'} If the service needs longer, increase \`stall-timeout-seconds\`.`,
  },
  'response-lost': {
    headline: (context) =>
      `The connection to ${context.settings.origin} failed after everything was sent, before a response arrived${why(context)}`,
    fix: ({ settings }) => (settings.isSecure ? CHECK_SERVICE : `${CHECK_SERVICE} ${MAY_BE_TLS}`),
  },
  'response-silent': {
    headline: describeStall,
    fix: () => `${CHECK_SERVICE} Ask its operators why it does not respond within 300 s.`,
  },
  'response-stalled': {
    headline: describeStall,
    fix: () => `${CHECK_SERVICE} If it needs longer, increase \`stall-timeout-seconds\`.`,
  },
  'response-truncated': {
    headline: (context) =>
      `The response of ${describeResponse(context)} was truncated${why(context)}`,
    fix: () => CHECK_SERVICE,
  },
  'response-too-long': {
    headline: (context) =>
      `The response of ${describeResponse(context)} is too long: more than 1 MiB.`,
    fix: () => `${CHECK_SERVICE} Check that \`base-url\` is that of the service.`,
  },
  'response-unreadable': {
    headline: (context) => `The response of ${describeResponse(context)} cannot be read.`,
    fix: () =>
      `${CHECK_SERVICE} It, or a gateway in front of it, must respond without compression, or with gzip, deflate or br.`,
  },
  'early-success': {
    headline: ({ settings, attempt: { response, isSent } }) =>
      `${settings.origin} responded with ${nameStatus(response?.status ?? 0)} before ${isSent ? 'the connection had taken everything.' : 'everything was sent: it cannot have the whole upload.'}`,
    fix: () => 'Something responds without reading the upload: check the path in `base-url`.',
  },
};

/** A fix; if the service may have the scan, what comes before it. */
function afterCheck(result: UploadResult, fix: string): string {
  return result === 'unconfirmed' ? `${CHECK_SERVICE} ${fix}` : fix;
}

/** The error's text, after a colon. */
function why(context: UploadContext): string {
  const error = findError(context);
  return error === undefined ? '.' : `: ${error.text}`;
}

function limit({ attempt: { failure } }: UploadContext): string {
  return `${failure?.kind === 'limit' ? failure.limitMs / 1000 : 0} s`;
}

function proxy({ settings }: UploadContext): string {
  return settings.proxyHost ?? '';
}

/** A TLS port may only reset a plain request, before anything of it was sent. */
function mayBeTls({ settings, attempt }: UploadContext): string {
  return settings.isSecure || attempt.sentBytes > 0 ? '' : `${MAY_BE_TLS} `;
}

function orCredential({ settings: { credentialKind } }: UploadContext): string {
  if (credentialKind === 'none') return '';
  return credentialKind === 'oidc' ? ' and `oidc-audience`' : ' and `token`';
}

function way({ settings: { proxyHost } }: UploadContext): string {
  return proxyHost === undefined ? '' : ` (through the proxy ${proxyHost})`;
}

function describeBreak(context: UploadContext): string {
  const { settings, attempt } = context;
  const { state, sentBytes } = attempt;
  if (sentBytes === 0 || !isClosed(findError(context)?.code)) {
    return `The connection to ${settings.origin}${way(context)} failed ${STATE_WORDS[state]}${why(context)}`;
  }
  return `${settings.host}${way(context)} closed the connection after ${formatShare(sentBytes, settings.bodyBytes)}.`;
}

function describeStall(context: UploadContext): string {
  const { settings, attempt } = context;
  return `No data was sent to or received from ${settings.origin}${way(context)} for ${limit(context)} ${STATE_WORDS[attempt.state]}.`;
}

function describeResponse({ settings, attempt: { response } }: UploadContext): string {
  const coding = response?.headers['content-encoding'];
  return `${settings.origin} (${nameStatus(response?.status ?? 0)}${coding === undefined ? '' : `, ${coding}`})`;
}

function distrust(context: UploadContext): string {
  return `The certificate of ${context.settings.origin} is not trusted${why(context)}`;
}

function certificate(fix: string): Pick<Words<UploadContext>, 'headline' | 'fix'> {
  return { headline: distrust, fix: () => fix };
}

function adviseIssuer(hasOwnCa: boolean, owner: 'service' | 'proxy'): string {
  return hasOwnCa
    ? `No certificate in \`ca-cert\` issued it: add that of its CA. If it is there, the ${owner} does not send its intermediate certificate: add that too.`
    : 'For a private CA, or a proxy that inspects TLS, set `ca-cert` to the certificate of the CA.';
}

function adviseProxyCertificate(context: UploadContext): string {
  const situation = judgeCertificate(findError(context)?.code);
  if (situation === 'certificate-expired' || situation === 'certificate-not-yet-valid') {
    return "Renew the proxy's certificate, or correct the clock of the runner.";
  }
  return situation === 'certificate-other-name'
    ? 'The certificate is for other names: check the host in the proxy variable.'
    : adviseIssuer(context.settings.hasOwnCa, 'proxy');
}

/** The words of a proxy's response to CONNECT; its own text is a detail. */
function refusedByProxy(did: string): Pick<Words<UploadContext>, 'headline' | 'details'> {
  return {
    headline: (context) => {
      const status = findError(context)?.proxyResponse?.status ?? 0;
      return `The proxy ${proxy(context)} ${did} ${context.settings.host}: ${nameStatus(status)}.`;
    },
    details: (context) =>
      (findError(context)?.proxyResponse?.says ?? []).map((line) => `The proxy says: ${line}`),
  };
}

function describeProxyEnd(context: UploadContext): string {
  const { host } = context.settings;
  return findError(context)?.isProxys === true
    ? `The proxy ${proxy(context)} closed the connection without a response to CONNECT ${host}${why(context)}`
    : `The tunnel through the proxy ${proxy(context)} to ${host} ended while connecting${why(context)}`;
}

function findError({ attempt: { failure } }: UploadContext): ConnectionError | undefined {
  return failure?.kind === 'connection' ? failure.error : undefined;
}
