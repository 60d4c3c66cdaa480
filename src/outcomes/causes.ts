// What to do about each cause of a failure: the input, or who has to act, in one sentence.

import { REPORT_FIX } from '../errors.ts';
import { describeFiles } from '../plan/plan.ts';
import { nameHost } from '../service/host.ts';
import { OPERATIONS_PATH } from '../service/operations.ts';
import { cutText, formatBytes } from '../text.ts';
import { CONNECTION } from './connection-causes.ts';
import { CREDENTIAL } from './credential-causes.ts';
import type { Evidence } from './evidence.ts';
import { spell } from './sentence.ts';
import type { Sentence } from './sentence.ts';
import type { UploadTask } from './task.ts';

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
  ...CONNECTION,
  ...CREDENTIAL,
  bug: REPORT_FIX,
  // The address.
  address: fixAddress,
  form: ({ task: { url } }) =>
    `Check \`base-url\`, or ask the operators of the service: it expects another form at ${url.href}.`,
  host: ({ task: { url } }) =>
    `Check the scheme, host and port in \`base-url\`: the server refuses requests to ${nameHost(url)}.`,
  stage: ({ task: { url } }) =>
    `Check \`base-url\`, with its stage (https://host/prod): AWS API Gateway has no path ${url.href}.`,
  tls: 'Begin `base-url` with https://: this port needs it.',
  forgery:
    'Check that `base-url` is that of the API: the service wants a token against forged requests here. If it is, its operators must exempt this operation.',
  unreadable:
    'Check that `base-url` is that of the service. It, or a gateway in front of it, must respond with JSON, text or XML of at most 1 MiB, not compressed, or with gzip or deflate.',
  move: ({ lead }) => {
    const [base = ''] = `${lead?.origin}${lead?.pathname}`.split(OPERATIONS_PATH);
    return `Set \`base-url\` to ${cutText(base, MAX_ADDRESS_CHARACTERS)}, if this is your service.`;
  },
  redirect:
    'Check `base-url` and the credential: this may lead to a login page, a portal or a firewall.',
  'accepted-address': ({ accepted }) =>
    `Re-run the failed jobs later, or ask the operators of the service: the address accepted \`${accepted}\`.`,
  // Size, rate and time.
  size: ({ task: { plan, body } }) =>
    `Reduce the size of the files (${describeFiles(plan)}), or raise the limit of the service or a gateway: the upload has ${formatBytes(body.length)}.`,
  headers: fixHeaders,
  rate: 'Re-run the failed jobs later.',
  slow: 'Check the network between the runner and the service, and the time limit of the server for requests: the upload arrived too slowly.',
  // Who has to act.
  front: ({ task: { url } }) =>
    `This page is not the service's: ask the operators of what is in front of it to let ${url.href} pass, or correct \`base-url\`.`,
  'accepted-front': ({ task: { url }, accepted }) =>
    `This page is not the service's, which accepted \`${accepted}\`: ask the operators of what is in front of it to let ${url.href} pass.`,
  portal: ({ task: { url }, lead }) =>
    `Ask the operators of the network, or of the service, to let ${url.href} pass: ${lead?.host} responds in its place. Or correct \`base-url\`.`,
  challenge: ({ task: { url } }) =>
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

/** The header of a credential, whose value is known of a token. */
type OwnHeader = { readonly kind: string; readonly header?: string; readonly value?: string };

/** What may have to be changed, or who has to act. */
export type Cause = Input | keyof typeof SENTENCES;

/** After these, another cause is an alternative. Others are checked first. */
const OPEN: readonly Cause[] = ['words', 'operators', 'size'];

/** What to do, a text for each of at most two causes; inputs that are to be checked are one. */
export function spellCauses(causes: readonly Cause[], evidence: Evidence): readonly string[] {
  const inputs = causes.filter(isInput).map((cause) => INPUTS[cause](evidence.task));
  const check = `Check ${inputs.join(' and ')}.`;
  const texts = causes.map((cause) => (isInput(cause) ? check : spell(SENTENCES[cause], evidence)));
  const [first = '', second] = new Set(texts);
  // Its sentence has the operators, too.
  if (second === undefined || causes[0] === 'accepted-address') return texts.slice(0, 1);
  const isOpen = OPEN.some((cause) => cause === causes[0]);
  return [first, `${isOpen ? 'Or' : 'If that is right,'} ${beginSmall(second)}`];
}

/** A sentence that follows a colon or a comma; a name keeps its first letter. */
export function beginSmall(sentence: string): string {
  return sentence.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}

function isInput(cause: Cause): cause is Input {
  return cause in INPUTS;
}

function namePart({ plan }: UploadTask, name: Input): string {
  const found = plan.parts.find(({ part }) => part.name === name);
  return found === undefined ? name : found.file.displayPath;
}

/** Names the longest header of the inputs; the length of an OIDC token is not known here. */
function fixHeaders({ task: { inputs } }: Evidence): string {
  const { header: name = 'of the request', value = '' }: OwnHeader = inputs.credential;
  const own = { name, value };
  const [longest = own] = [own, ...inputs.headers].toSorted(
    (one, other) => other.value.length - one.value.length,
  );
  return `Shorten the header ${longest.name}, the longest that is set, or raise the limit of the service or a gateway.`;
}

/** The action adds /v1 itself, but it may also be part of a gateway's path. */
function fixAddress({ task: { url } }: Evidence): string {
  return url.pathname.includes(`/v1${OPERATIONS_PATH}`)
    ? `Remove /v1 from the end of \`base-url\`, unless a gateway needs it: the action adds it itself. The upload went to ${url.href}.`
    : `Check \`base-url\`: the upload went to ${url.href}.`;
}
