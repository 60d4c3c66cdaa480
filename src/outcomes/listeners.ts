// What a refusal says is wrong: each function listens for one thing, and returns the causes that it hears of.

import { foldName } from '../json.ts';
import { OPERATIONS_PATH, PARTS, SCAN_KEY_PART } from '../service/operations.ts';
import type { Cause } from './causes.ts';
import type { Evidence } from './evidence.ts';
import type { UploadTask } from './task.ts';

export type Listener = (evidence: Evidence) => readonly Cause[];

/** Words for what the key names, and for the key. */
const SCAN = /\b(?:scans?|projects?|keys?)\b/;
/** Formats, and members that only they have. */
const FORMATS = ['cyclonedx', 'spdx', 'sarif', 'sbom', 'bomformat', 'specversion'];
/** A field that is lacking or not known: as a field error, as a sentence that names it, or as multer says it. */
const FIELD =
  /^(?:body\.)?(\w+): (?:'[^']*' )?(?:(?:the [\w ]+ |this )?field (?:is )?required|(?:is )?required\.?$|no file was submitted|must not be (?:null|blank|empty))|\b(?:required|missing) (?:request )?(?:field|part|parameter)(?: is missing)?:? (?!is\b|was\b|not\b|missing\b)(?:"[\w.<>?]+ |["'`])?(\w+)|\bunexpected field\b/;
/** How NestJS, Joi, FastAPI, Marshmallow, Symfony, Rails and Zod refuse a field that their form does not have. */
const UNEXPECTED = [
  'NAME should not exist\n',
  '"NAME" is not allowed\n',
  'NAME: extra inputs are not permitted',
  'NAME: extra fields not permitted',
  'NAME: unknown field',
  'NAME: this form should not contain extra fields',
  'unpermitted parameter: :NAME',
  'unpermitted parameters: :NAME',
  "unrecognized key(s) in object: 'NAME'",
];
/** What follows a field of a JSON document, or of another part of the request. */
const OF_NO_FORM = [' at line', ' from query', ' from header'];
/** How servers refuse the host or the protocol of a request. Django, Rails, Vite, Jetty and Kestrel are among them. */
const HOST =
  /\binvalid (?:hostname|sni\b)|\bhost header\b|\bhttp_host\b|\bblocked hosts?\b|\bhost not permitted|\bthis host\b.{0,100} is not allowed|\bhttp\/[12][.\dx]* only endpoint/;
/** After such a word, the host is one in a file, or behind the service. */
const OTHER_HOST = /\b(?:unknown|resolve|no route to|scan|report|target)\b/;
/** Where FastAPI has a field that is none of the form. */
const OUTSIDE = ['query.', 'header.'];
/** A token against forged requests, which pages send with their forms. Rails has a sentence without its name. */
const FORGERY =
  /\b(?:anti-?forgery|[cx]srf).{0,80}(?:token|cookie|header|verification|validation|failed)|^the change you wanted was rejected\b/;
/** Segments of paths, and labels of hosts, of sign-ins. */
const SIGN_IN = 'login log-in signin sign-in sign_in sso auth oauth oauth2'.split(' ');
/** What pages say of a service that its operators have switched off. */
const STOPPED = ['app is stopped', 'site is disabled', 'account is suspended'];
/** What IIS says of an upload over its limit, and from how many bytes on. */
const IIS = ['file or directory not found', 'the resource you are looking for'];
const IIS_BYTES = 30_000_000;

/** Whether a response says anything but its status. */
export function hasWords({ says }: Evidence): boolean {
  return says.some((line) => line.split(' ').length > 2);
}

/** Listens for what makes a condition hold. */
export function hear(causes: readonly Cause[], holds: (evidence: Evidence) => boolean): Listener {
  return (evidence) => (holds(evidence) ? causes : []);
}

/** Another host responds in place of the service. */
export const leadsElsewhere = hear(['portal'], isElsewhere);

/** A sign-in in front of the service, which another host asks for. */
export const asksElsewhere = hear(['foreign-sign-in'], isElsewhere);

function isElsewhere({ lead, task: { url } }: Evidence): boolean {
  return lead !== undefined && lead.hostname !== url.hostname;
}

/** A sign-in, by the words of its address. */
export function leadsToSignIn(evidence: Evidence): readonly Cause[] {
  const { lead } = evidence;
  const isOther = isElsewhere(evidence);
  const words = [lead?.pathname.split('/'), isOther ? lead?.hostname.split('.') : []].flat();
  const isSignIn = words.some((word = '') => SIGN_IN.includes(word.toLowerCase()));
  return isSignIn ? [isOther ? 'foreign-sign-in' : 'sign-in'] : [];
}

/** The same of a service that neither challenges the credential nor says what is wrong with it. */
export function asksForSignIn(evidence: Evidence): readonly Cause[] {
  const isSaid = evidence.challenge !== '' || hasWords(evidence);
  return isSaid ? [] : leadsToSignIn(evidence);
}

/** The operation at another address. Plain HTTP in place of TLS is never proposed: it would send token and files unencrypted. */
export const movesOperation = hear(['move'], ({ lead, task: { url } }) => {
  const [, operation = ''] = lead?.pathname.split(OPERATIONS_PATH) ?? [];
  const isWorse = url.protocol === 'https:' && lead?.protocol === 'http:';
  return operation !== '' && !isWorse;
});

/** A field error of a part may quote a finding. */
export const asksForForgeryToken = hear(['forgery'], ({ lines }) =>
  lines.some((line) => {
    const field = line.slice(0, Math.max(0, line.indexOf(': ')));
    return FORGERY.test(line) && !PARTS.some(({ name }) => field.includes(name.toLowerCase()));
  }),
);

/** The service's own JSON may speak of other hosts. */
export const refusesHost = hear(['host'], ({ isForeign, lines }) => {
  const said = isForeign ? lines : [];
  return said.some((line) => {
    const [before = ''] = line.split(HOST, 1);
    return before !== line && !OTHER_HOST.test(before);
  });
});

/** A page that says nothing but its status: a server in front of the service refused the request before it. */
export const isBarePage = hear(
  ['front', 'accepted-front'],
  (evidence) => evidence.last.response?.kind === 'web-page' && !hasWords(evidence),
);

/** A page of the service's host in its place. */
export const isStopped = hear(['words'], ({ text }) => STOPPED.some((said) => text.includes(said)));

/** AWS API Gateway says so of a path that it does not have. */
export const missesStage = hear(['stage'], ({ text }) =>
  text.includes('missing authentication token'),
);

/** A field that the request does not have: another form is meant. */
export const wantsOtherForm = hear(['form'], ({ task: { plan }, lines }) => {
  const names = [SCAN_KEY_PART, ...plan.operation.parts.map(({ name }) => name)].map(foldName);
  return lines.some((line) => {
    const found = FIELD.exec(line);
    const isOfForm = !OF_NO_FORM.some((words) => line.includes(words, found?.index));
    return found !== null && isOfForm && !names.includes(foldName(found.slice(1).join('')));
  });
});

/** A field that the request has, and the form does not: another form is meant. */
export const refusesField = hear(['form'], ({ task: { plan }, lines }) => {
  const names = [SCAN_KEY_PART, ...plan.operation.parts.map(({ name }) => name)];
  const texts = names.flatMap((name) =>
    UNEXPECTED.map((text) => text.replace('NAME', name.toLowerCase())),
  );
  return lines.some((line) => texts.some((text) => `${line}\n`.includes(text)));
});

/** A field of the request that the action does not send: nothing that it sends is wrong. */
export const wantsOtherField = hear(['words'], ({ lines }) =>
  lines.some((line) => OUTSIDE.some((start) => line.startsWith(start))),
);

/** The key and the files, by the names of their parts. What is shown decides before the rest. */
export function namesInputs({ task, text, lines }: Evidence): readonly Cause[] {
  const shown = listNamed(lines.join('\n'), task);
  return shown.length > 0 ? shown : listNamed(text, task);
}

function listNamed(text: string, { plan, scanKey }: UploadTask): readonly Cause[] {
  const isOfKey = hasName(text, SCAN_KEY_PART) || text.includes(scanKey.toLowerCase());
  const named = plan.operation.parts.filter(({ name }) => hasName(text, name));
  const isOfFormat = named.length === 0 && FORMATS.some((name) => text.includes(name));
  return [
    ...(isOfKey ? (['key'] as const) : []),
    ...named.map(({ name }) => name),
    ...(isOfFormat ? (['files'] as const) : []),
  ];
}

/** Whether a text in lower case has a name, which services spell in many ways: `scan_key`. */
export function hasName(text: string, name: string): boolean {
  const words = name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  return ['', '_', '-', ' '].some((separator) => text.includes(words.join(separator)));
}

/** A server that does not know the path often says it. */
export const namesPath = hear(['address', 'accepted-address'], ({ task: { url }, lines }) => {
  const path = url.pathname.slice(url.pathname.lastIndexOf(OPERATIONS_PATH) + 1);
  return lines.some((line) => line.includes(path));
});

/** What is not found. A page may have such words in its navigation. */
export const namesKey = hear(['key'], ({ last: { response }, task, lines }) => {
  const words = lines.join('\n');
  const isOfScan = response?.kind !== 'web-page' && SCAN.test(words);
  return isOfScan || listNamed(words, task).includes('key');
});

/** The action adds /v1 itself. */
export const doublesVersion = hear(['address'], ({ task: { url } }) =>
  url.pathname.includes(`/v1${OPERATIONS_PATH}`),
);

/** Of a problem, the service has the path, or its framework says so of any. */
export const isFoundByService = hear(
  ['key', 'address', 'accepted-address'],
  ({ last: { response } }) => response?.problem !== undefined,
);

/** IIS hides its limit. */
export const hidesLimit = hear(['size', 'address'], ({ headers, task, text }) => {
  const isOfIis = String(headers.server).startsWith('Microsoft-IIS');
  return isOfIis && task.body.length > IIS_BYTES && IIS.some((said) => text.includes(said));
});
