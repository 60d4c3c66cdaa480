// What to do about each cause of a failure: the input, or who has to act, in one sentence.

import { CANCELLED_FIX, REPORT_FIX } from '../errors.ts';
import { describeFiles } from '../plan/plan.ts';
import { readTarget } from '../service/headers.ts';
import { nameHost } from '../service/host.ts';
import { OPERATIONS_PATH } from '../service/operations.ts';
import { cutText, formatBytes } from '../text.ts';
import * as connection from './connection-fixes.ts';
import * as credential from './credential-fixes.ts';
import type { FailedAttempt, UploadTask } from './task.ts';

/** How much of an address that a response names is shown. */
export const MAX_ADDRESS_CHARACTERS = 200;
const LATER = 'Re-run the failed jobs later, or give the operators the trace id';

/** What to check, as a noun. Several are checked in one sentence. */
const INPUTS = {
  key: () => '`scan-key`',
  files: () => 'the files',
  ScanJsonFile: (task: UploadTask) => namePart(task, 'ScanJsonFile'),
  DependenciesCDX: (task: UploadTask) => namePart(task, 'DependenciesCDX'),
  VulnerabilitiesTool: (task: UploadTask) => namePart(task, 'VulnerabilitiesTool'),
};
type Input = keyof typeof INPUTS;

const SENTENCES = {
  // What the action itself finds.
  error: fixError,
  end: CANCELLED_FIX,
  bug: REPORT_FIX,
  // The connection.
  name: connection.UNRESOLVED,
  network: connection.fixNetwork,
  certificate: connection.fixCertificate,
  'client-certificate': connection.fixClient,
  'proxy-refusal': connection.fixProxyRefusal,
  'proxy-credential': connection.fixProxyCredential,
  proxy: connection.fixProxy,
  protocol: connection.fixProtocol,
  early: connection.EARLY,
  break: connection.fixBreak,
  stall: connection.STALLED,
  unreadable:
    'Check that `base-url` is that of the service. It, or a gateway in front of it, must respond with JSON, text or XML of at most 1 MiB, not compressed, or with gzip or deflate.',
  // The address.
  address: fixAddress,
  form: ({ task: { url } }: FailedAttempt) =>
    `Check \`base-url\`, or ask the operators of the service: it expects another form at ${url.href}.`,
  host: ({ task: { url } }: FailedAttempt) =>
    `Check the scheme, host and port in \`base-url\`: the server refuses requests to ${nameHost(url)}.`,
  stage: ({ task: { url } }: FailedAttempt) =>
    `Check \`base-url\`, with its stage (https://host/prod): AWS API Gateway has no path ${url.href}.`,
  tls: 'Begin `base-url` with https://: this port needs it.',
  forgery:
    'Check that `base-url` is that of the API: the service wants a token against forged requests here. If it is, its operators must exempt this operation.',
  redirect: fixRedirect,
  'accepted-address': ({ accepted }: FailedAttempt) =>
    `Re-run the failed jobs later, or ask the operators of the service: the address accepted \`${accepted}\`.`,
  // The credential.
  credential: credential.fixCredential,
  renewal: credential.fixRenewal,
  audience: credential.fixAudience,
  issuer: credential.fixIssuer,
  subject: credential.SUBJECT,
  right: credential.fixRight,
  'accepted-credential': credential.fixAccepted,
  'sign-in': credential.fixSignIn,
  'foreign-sign-in': credential.fixForeignSignIn,
  // Size, rate and time.
  size: ({ task: { plan, body } }: FailedAttempt) =>
    `Reduce the size of the files (${describeFiles(plan)}), or raise the limit of the service or a gateway in front of it: the upload (${formatBytes(body.length)}) is probably too large.`,
  headers: fixHeaders,
  rate: 'Re-run the failed jobs later.',
  slow: 'Check the network between the runner and the service, and the time limit of the server for requests: the upload arrived too slowly.',
  // Who has to act.
  front: fixFront,
  challenge: ({ task: { url } }: FailedAttempt) =>
    `Ask the operators of the service to let ${url.href} pass without a challenge.`,
  words: 'Ask the operators of the service, with what it says and the trace id.',
  operators: 'Ask the operators of the service, with the trace id.',
  conflict:
    'Check the scan of this `scan-key` in the service; if it was only busy, re-run the failed jobs later.',
  crash:
    'Re-run the failed jobs later. If it fails again, give the operators the trace id: a file may cause it.',
  outage: `${LATER}: the service is not available, or a gateway cannot reach it.`,
  gateway: `${LATER}: a gateway got no valid response from the service.`,
  'gateway-timeout': `${LATER}: a gateway got no response from the service in time.`,
} satisfies Readonly<Record<string, Sentence>>;
type Sentence = string | ((failed: FailedAttempt) => string | readonly string[]);

/** What may have to be changed, or who has to act. */
export type Cause = Input | keyof typeof SENTENCES;

/** After these, another cause is an alternative. Others are checked first. */
const OPEN: readonly Cause[] = ['words', 'operators', 'size'];

/** What to do, a text for each of at most two causes; inputs that are to be checked are one. */
export function spellCauses(causes: readonly Cause[], failed: FailedAttempt): readonly string[] {
  const inputs = causes.flatMap((cause) => (isInput(cause) ? INPUTS[cause](failed.task) : []));
  const check = `Check ${inputs.join(' and ')}.`;
  const texts = causes.flatMap((cause) =>
    isInput(cause) ? check : spell(SENTENCES[cause], failed),
  );
  const [first = '', second] = new Set(texts);
  const [cause = 'error'] = causes;
  if (cause === 'error') return texts;
  if (second === undefined || cause === 'accepted-address') return [first];
  return [first, `${OPEN.includes(cause) ? 'Or' : 'If that is right,'} ${beginSmall(second)}`];
}

/** A sentence that follows a colon or a comma; a name keeps its first letter. */
export function beginSmall(sentence: string): string {
  return sentence.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}

function spell(sentence: Sentence, failed: FailedAttempt): string | readonly string[] {
  return typeof sentence === 'function' ? sentence(failed) : sentence;
}

function isInput(cause: Cause): cause is Input {
  return cause in INPUTS;
}

function namePart({ plan }: UploadTask, name: Input): string {
  const found = plan.parts.find(({ part }) => part.name === name);
  return found === undefined ? name : found.file.displayPath;
}

/** The fixes that the error which ended the attempt brings. */
function fixError({ last: { failure } }: FailedAttempt): readonly string[] {
  return failure?.kind === 'step' ? failure.error.fixes : [];
}

/** The action adds /v1 itself, but it may also be part of a gateway's path. */
function fixAddress({ task: { url } }: FailedAttempt): string {
  return url.pathname.includes(`/v1${OPERATIONS_PATH}`)
    ? `Remove /v1 from the end of \`base-url\`, unless a gateway needs it: the action adds it itself. The upload went to ${url.href}.`
    : `Check \`base-url\`: the upload went to ${url.href}.`;
}

/** Plain HTTP is never proposed: it would send token and files unencrypted. */
function fixRedirect({ task, last: { response } }: FailedAttempt): string {
  const target = response && readTarget(response.headers, task.url);
  const [path = '', operation] = target?.pathname.split(OPERATIONS_PATH) ?? [];
  const isWorse = task.url.protocol === 'https:' && target?.protocol === 'http:';
  if (target === undefined || !operation || isWorse) {
    return 'Check `base-url` and the credential: this may lead to a login page, a portal or a firewall.';
  }
  const base = cutText(`${target.origin}${path}`, MAX_ADDRESS_CHARACTERS);
  return `Set \`base-url\` to ${base}, if this is your service.`;
}

/** Only the headers that the author sets can be too long. */
function fixHeaders({ task: { inputs } }: FailedAttempt): string {
  const { credential: own, headers } = inputs;
  const token = own.kind === 'token' ? [{ name: '`token`', value: own.value }] : [];
  const sizes = [...token, ...headers].map(
    ({ name, value }) => `${name}: ${formatBytes(value.length)}`,
  );
  const which = sizes.length > 0 ? ` (${sizes.join(', ')})` : '';
  return `Use a shorter credential, or raise the limit of the service or a gateway in front of it: the headers of the request${which} are too large.`;
}

/** A page of a firewall, a portal or a login. An accepted scan proves the address. */
function fixFront({ task: { url }, accepted }: FailedAttempt): string {
  const other = accepted === undefined ? ', or correct `base-url`' : '';
  return `This page is not the service's: ask the operators of what is in front of it to let ${url.href} pass${other}.`;
}
