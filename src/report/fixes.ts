import type { NoFix, OwnFix } from '../errors.ts';
import { isLoopback } from '../inputs/base-url.ts';
import { followAttempt } from '../service/judge.ts';
import { findBaseUrl } from '../service/operations.ts';
import type { UploadFacts } from '../service/settings.ts';
import type { Situation, StepSituation } from '../situations.ts';
import { cutText } from '../text.ts';
import { MAX_ADDRESS_CHARACTERS, readTarget } from './headline.ts';
import type { Context } from './headline.ts';

/** What to do, naming the input or who has to act. */
type Fix = string | ((context: Context) => string);

const PAGE_FIX = 'It may be a login page or a portal: check `base-url` and the credential.';
/** What the system says of a proxy that is not there, or does not speak TLS. */
const NOT_REACHED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|EPROTO|ERR_SSL_)/;
const LATER = 'Re-run the failed jobs later';
/** What says that a path leads nowhere, rather than that a scan is unknown. */
const ROUTE =
  /\b(?:pages?|routes?|url|uri|path|endpoint|web ?site|action|(?:static|requested) resource|file or directory)\b.{0,300}(?:\bnot (?:be )?found\b|\bdoes(?:n.t| not) exist\b)|\bno (?:HTTP |matching |static |such )?(?:route|resource|handler|endpoint|page|app|mapping)\b|\bCannot (?:POST|PUT)\b|\bcurrent representation\b|\/v1\/scanner\//i;

/** What to do where an error that ends a step brings no fix of its own. */
const STEP_FIXES: Readonly<
  Record<Exclude<StepSituation, OwnFix | NoFix>, string> & Partial<Record<OwnFix | NoFix, string>>
> = {
  files:
    'Correct the pattern, or the step that should have written the file: check that it ran, and the path of its output.',
  'oidc-permission':
    'Give the job the permission `id-token: write`; of a reusable workflow, the job that calls it too.',
  'oidc-failed': `${LATER}. On a runner of your own, check that it reaches GitHub's token service.`,
  'time-limit': 'Increase `timeout-seconds`.',
  cancelled: 'Run the step again to upload the scan.',
  unexpected: 'Report this message to the maintainers of the action.',
};

/** What to do in each situation. Where the cause is not known, a fix names all that it may be, the likeliest first. */
const FIXES: Readonly<Record<Exclude<Situation, StepSituation>, Fix>> = {
  'name-unknown':
    "Check `base-url`. A name of a private network needs a runner inside it, or the runner's name server does not respond. If only a proxy reaches it: https:// needs `https_proxy`.",
  'connect-failed': adviseConnect,
  certificate: adviseCertificate,
  'client-certificate': adviseClientCertificate,
  'client-certificate-asked': adviseClientCertificate,
  'proxy-credentials': "Check the credentials in the proxy's URL (https_proxy, http_proxy).",
  'proxy-refused': ({ settings }) =>
    `Ask the operators of the proxy to allow ${settings.host}. If no proxy is needed, list the host in \`no_proxy\`, with commas between hosts.`,
  'proxy-failed': adviseProxy,
  'other-protocol': ({ settings }) =>
    settings.isSecure
      ? 'The port may not speak TLS: check the port in `base-url`. A service without TLS needs http:// and `allow-http: true`.'
      : 'Check the scheme and the port in `base-url`: a TLS port needs https://.',
  'https-required': '`base-url` must begin with https:// for this port.',
  'connection-broken': adviseBroken,
  stalled: 'Check the network. If the service needs longer, increase `stall-timeout-seconds`.',
  // The service is checked first.
  'response-silent': '',
  'response-unreadable':
    'Check that `base-url` is that of the service. It, or a gateway in front of it, must respond with JSON, text or XML of at most 1 MiB, not compressed, or with gzip, deflate or br, and over https with a length or in chunks.',
  'early-success': 'Something responds without reading the upload: check the path in `base-url`.',
  redirect: adviseRedirect,
  'web-page': PAGE_FIX,
  'success-refused':
    'The status is one of success, but the body reports a failure: ask the operators of the service why.',
  invalid: adviseInvalid,
  'credential-rejected': ({ settings }) => CREDENTIAL_FIXES[settings.credentialKind],
  forbidden:
    'Check that the credential may upload for this `scan-key`. If it may, ask the operators of the service, and of a gateway or firewall in front of it, about their rules.',
  'not-found': adviseNotFound,
  'request-timeout':
    'The upload arrived too slowly: check the network between the runner and the service, and the time limit of the server for requests.',
  'too-large': ({ settings }) =>
    `The upload (${settings.bodyBytes} bytes) is probably too large for the service or a gateway in front of it: reduce the size of the files (${settings.files}), or raise that limit.`,
  'rate-limited': `The service limits the rate of uploads. ${LATER}.`,
  'service-failed': adviseLater('The service failed'),
  'service-problem': ({ settings }) =>
    `A file may cause it (${settings.files}): give the operators of the service the trace id.`,
  unavailable: adviseLater('The service is not available, or a gateway cannot reach it'),
  'gateway-failed': adviseLater('A gateway got no valid response from the service'),
  'gateway-timeout': adviseLater('A gateway stopped waiting for the service'),
  'gateway-interrupted': adviseLater('A gateway sent the upload to the service, then lost it'),
  refused: ({ settings }) =>
    `Check that ${settings.address} is the upload address of the service.${hintVersion(settings)} If it is, ask its operators, with the trace id.`,
};

const CREDENTIAL_FIXES: Readonly<Record<UploadFacts['credentialKind'], string>> = {
  token:
    'Check `token`, and `token-header` and `token-prefix` if the service wants another scheme.',
  oidc: 'Check `oidc-audience` (by default the origin of `base-url`), and whether the service trusts OIDC tokens of this repository.',
  none: 'The service asks for a credential: set `token` without `auth: none`, or `auth: oidc`.',
};

/** What to do after an error that ended a step or an attempt. */
export function fixStep(situation: StepSituation, own: readonly string[]): readonly string[] {
  const fix = STEP_FIXES[situation];
  return own.length > 0 || fix === undefined ? own : [fix];
}

/** What to do in a situation of an attempt, a line each. */
export function fixAttempt(situation: Situation, context: Context): readonly string[] {
  if (isStep(situation)) {
    const { failure } = context.last;
    const own = failure?.kind === 'step' ? failure.error.fixes : [];
    return checkFirst(fixStep(situation, own), situation, context);
  }
  const fix = FIXES[situation];
  return checkFirst([typeof fix === 'string' ? fix : fix(context)], situation, context);
}

/** Fixes that begin with a check if the service may have the scan: a re-run would send it again. */
export function checkFirst(
  fixes: readonly string[],
  situation: Situation,
  { last, result }: Context,
): readonly string[] {
  if (result !== 'unconfirmed') return fixes;
  const isLast = followAttempt(situation, last).result === 'unconfirmed';
  const cause = isLast ? 'it may have the scan' : 'it may have the scan from an earlier attempt';
  const check = `Check the service before a re-run, because ${cause}.`;
  const [fix = '', ...others] = fixes;
  return [fix === '' ? check : `${check} If it does not: ${fix}`, ...others];
}

function isStep(situation: Situation): situation is StepSituation {
  return !Object.hasOwn(FIXES, situation);
}

/** What to do after a failure of which the workflow is not the cause. */
function adviseLater(cause: string): string {
  return `${cause}; this workflow is not the cause. ${LATER}, or give the operators the trace id.`;
}

/** A service that refuses early closes the connection, and its response may be lost. */
function adviseBroken({ settings: { isSecure, proxyHost }, last }: Context): string {
  const proxy = proxyHost === undefined ? '' : ` The proxy ${proxyHost} may also have closed it.`;
  // A TLS port may reset a plain request at once, or after it has taken all of it.
  const mayBeTls = !isSecure && last.response === undefined;
  const tls = mayBeTls ? ' If the port expects TLS, `base-url` must begin with https://.' : '';
  return `The service may have refused the upload: check its size limit and the credential. If it did not, check the network.${proxy}${tls}`;
}

function adviseConnect({ settings: { hostname } }: Context): string {
  return isLoopback(hostname)
    ? 'Check that the service is running, and the port in `base-url`. In the container of a job, localhost is the container itself: use the name of the service.'
    : 'Check that the service is running, and the scheme, host and port in `base-url`. If it is, a firewall may block the runner: use one inside the network.';
}

function adviseProxy({ settings: { host }, last: { failure } }: Context): string {
  const { code = '', isProxys = false } = failure?.kind === 'connection' ? failure.error : {};
  return isProxys && NOT_REACHED.test(code)
    ? 'Check the scheme, host and port of the proxy (https_proxy, http_proxy): most begin with http://, also for https addresses.'
    : `Check the proxy variables (https_proxy, http_proxy, no_proxy) of the job, the host and port in \`base-url\`, and that the service is up. Ask the operators of the proxy whether it allows ${host}.`;
}

function adviseCertificate({ settings, last: { failure } }: Context): string {
  const { code = '', isProxys = false } = failure?.kind === 'connection' ? failure.error : {};
  if (/EXPIRED|NOT_YET_VALID/.test(code)) {
    return 'Renew the certificate, or correct the clock of the runner.';
  }
  if (/ALTNAME|HOSTNAME/.test(code)) {
    return `The certificate is for other names: check the host in ${isProxys ? 'the proxy variable' : '`base-url`'}.`;
  }
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') {
    return 'If you know this certificate, set `ca-cert` to it: a self-signed one is its own CA.';
  }
  if (!/^(?:SELF_SIGNED|UNABLE_TO)_/.test(code)) {
    return `Ask the operators of the ${isProxys ? 'proxy' : 'service'} for a valid certificate.`;
  }
  return settings.hasOwnCa
    ? 'No certificate in `ca-cert` issued it: add that of its CA. If it is there, the server does not send its intermediate certificate: add that too.'
    : '`ca-cert` is empty: for a private CA, or a proxy that inspects TLS, set it to the certificate of the CA.';
}

function adviseClientCertificate({ settings }: Context): string {
  return settings.hasClientCertificate
    ? 'Check that `client-cert` and `client-key` are valid, and that the service trusts their CA.'
    : 'If the service asks for a client certificate, set `client-cert` and `client-key`.';
}

function adviseRedirect({ settings, last: { response } }: Context): string {
  const target = response && readTarget(response);
  if (target?.href === `${settings.address}/`) {
    return 'The service wants a slash at the end of the path, which its interface does not have: ask its operators.';
  }
  const base = target && findBaseUrl(target);
  if (base === undefined) return PAGE_FIX;
  return `If this is your service, set \`base-url\` to ${cutText(base, MAX_ADDRESS_CHARACTERS)}.`;
}

function adviseInvalid({ last: { response, isSent } }: Context): string {
  // A server that closes early may have no other words for a body that is too large.
  const isBare = !isSent && response?.says.length === 0;
  const size = isBare ? ' Not everything was sent: the upload may also be too large.' : '';
  return `Check \`scan-key\` (the service may have a scan with it already), the files, and which file is in which part. If that does not help, ask the operators of the service, with the trace id.${size}`;
}

/** A 404 that says nothing, or that something was not found at the path, is about the address. */
function adviseNotFound({ settings, last }: Context): string {
  const says = last.response?.says ?? [];
  const isRoute = says.length === 0 || says.some((text) => ROUTE.test(text));
  return isRoute
    ? `The service returned 404 for ${settings.address}: check \`base-url\`.${hintVersion(settings)} If it is right, check \`scan-key\`.`
    : 'Check `scan-key`. If it is right, check `base-url`.';
}

/** The action adds /v1 itself, but it may also be part of a gateway's path. */
function hintVersion({ basePath }: UploadFacts): string {
  return /\/v1\/*$/.test(basePath)
    ? ' It ends in /v1, which the action adds itself: remove it, unless a gateway needs it.'
    : '';
}
