// What a refusal says is wrong: each function listens for one thing, and returns the causes that it hears of.

import { foldName } from '../json.ts';
import { isForeign } from '../service/attempt.ts';
import type { ServiceResponse } from '../service/attempt.ts';
import { readTarget } from '../service/headers.ts';
import { OPERATIONS_PATH, PARTS, SCAN_KEY_PART } from '../service/operations.ts';
import { listLines } from '../text.ts';
import type { Cause } from './causes.ts';
import { readExpiry } from './jwt.ts';
import type { UploadTask } from './task.ts';

/** A refusal, with its words in lower case. */
export interface Refusal {
  readonly response: ServiceResponse;
  readonly task: UploadTask;
  /** Its whole text. */
  readonly text: string;
  /** What it says, a line each; of JSON only its messages. */
  readonly lines: readonly string[];
}
export type Listener = (refusal: Refusal) => readonly Cause[];

/** Words for what the key names, and for the key. */
const SCAN = /\b(?:scans?|projects?|keys?)\b/;
/** Formats, and members that only they have. */
const FORMATS = ['cyclonedx', 'spdx', 'sarif', 'sbom', 'bomformat', 'specversion'];
/** A field that is lacking or not known: as a field error, as a sentence that names it, or as multer says it. */
const FIELD =
  /^(?:body\.)?(\w+): (?:(?:the \w+ |this )?field (?:is )?required|is required|no file was submitted|must not be (?:null|blank|empty))|\b(?:required|missing) (?:field|part|parameter)(?: is missing)?:? (?!is\b|was\b|not\b|missing\b)(?:"[\w.<>?]+ |["'`])?(\w+)(?!.* (?:at line|from query|from header)\b)|\bunexpected field\b/;
/** How servers refuse the host or the protocol of a request. Django, Rails, Vite, Jetty and Kestrel are among them. */
const HOST =
  /\binvalid (?:hostname|sni\b)|\bhost header\b|\bhttp_host\b|\bblocked hosts?\b|\bhost not permitted|\bthis host\b.{0,100} is not allowed|\bhttp\/[12][.\dx]* only endpoint/;
/** After such a word, the host is one in a file, or behind the service. */
const OTHER_HOST = /\b(?:unknown|resolve|no route to|scan|report|target)\b/;
/** A token against forged requests, which pages send with their forms. */
const FORGERY =
  /\b(?:anti-?forgery|[cx]srf).{0,80}(?:token|cookie|header|verification|validation|failed)/;
/** Words of authentication, and of what a credential may do; not those of a firewall about an address. */
const AUTHENTICATION = /\b(?:tokens?|jwt|credentials?|api.?keys?|authentic|audience|issuer)/;
const RIGHT =
  /^(?!.*\bip address\b).*(?:\b|_)(?:permissions?|privileges?|roles?|scopes?|(?:un)?authori[sz])/m;
/** Why a credential is not accepted any more. */
const OVER = ['expired', 'revoked'];
/** Segments of paths, and labels of hosts, of sign-ins. */
const SIGN_IN = 'login log-in signin sign-in sign_in sso auth oauth oauth2'.split(' ');
/** What IIS says of an upload over its limit, and from how many bytes on. */
const IIS = ['file or directory not found', 'the resource you are looking for'];
const IIS_BYTES = 30_000_000;

/** Reads what listeners hear. */
export function readRefusal(response: ServiceResponse, task: UploadTask): Refusal {
  const text = response.text.toLowerCase();
  const said = isForeign(response) ? text : response.says.join('\n').toLowerCase();
  return { response, task, text, lines: listLines(said) };
}

/** Whether a response says anything but its status. */
export function hasWords({ says }: ServiceResponse): boolean {
  return says.some((line) => line.split(' ').length > 2);
}

/** A sign-in in front of the service, which another host asks for. */
export function asksElsewhere({ response, task: { url } }: Refusal): readonly Cause[] {
  const { hostname } = readTarget(response.headers, url) ?? url;
  return hostname === url.hostname ? [] : ['foreign-sign-in'];
}

/** A sign-in, by the words of its address. */
export function leadsToSignIn({ response, task: { url } }: Refusal): readonly Cause[] {
  const target = readTarget(response.headers, url);
  if (target === undefined) return [];
  const isOther = target.hostname !== url.hostname;
  const words = [...target.pathname.split('/'), ...(isOther ? target.hostname.split('.') : [])];
  if (!words.some((word) => SIGN_IN.includes(word.toLowerCase()))) return [];
  return isOther ? ['foreign-sign-in'] : ['sign-in'];
}

/** The same of a service that neither challenges the credential nor says what is wrong with it. */
export function asksForSignIn(refusal: Refusal): readonly Cause[] {
  const { response } = refusal;
  const isSaid = response.headers['www-authenticate'] !== undefined || hasWords(response);
  return isSaid ? [] : leadsToSignIn(refusal);
}

/** A field error of a part may quote a finding. */
export function asksForForgeryToken({ lines }: Refusal): readonly Cause[] {
  const isAsked = lines.some((line) => {
    const field = line.slice(0, Math.max(0, line.indexOf(': ')));
    return FORGERY.test(line) && !PARTS.some(({ name }) => field.includes(name.toLowerCase()));
  });
  return isAsked ? ['forgery'] : [];
}

/** The service's own JSON may speak of other hosts. */
export function refusesHost({ response, lines }: Refusal): readonly Cause[] {
  const isRefused = lines.some((line) => {
    const found = HOST.exec(line);
    return found !== null && !OTHER_HOST.test(line.slice(0, found.index));
  });
  return isRefused && isForeign(response) ? ['host'] : [];
}

/** AWS API Gateway says so of a path that it does not have. */
export function missesStage({ text }: Refusal): readonly Cause[] {
  return text.includes('missing authentication token') ? ['stage'] : [];
}

/** What is wrong with the credential. A challenge speaks of it, too. */
export function refusesCredential({ response, task, text }: Refusal): readonly Cause[] {
  const words = `${text}\n${response.headers['www-authenticate'] ?? ''}`.toLowerCase();
  const isExpired = (readExpiry(task) ?? Infinity) <= Date.now();
  if (isExpired || OVER.some((word) => words.includes(word))) return ['renewal'];
  const isOidc = task.inputs.credential.kind === 'oidc';
  const part = (['audience', 'issuer', 'subject'] as const).find((name) => words.includes(name));
  return part === undefined || (part === 'subject' && !isOidc) ? [] : [part];
}

/** The same where the credential is one cause of several. Words of a page may be those of a firewall. */
export function refusesRight(refusal: Refusal): readonly Cause[] {
  const { response, task, text } = refusal;
  const { 'www-authenticate': challenge = '' } = response.headers;
  const isOfRight = challenge !== '' || RIGHT.test(text);
  const isOfSubject = task.inputs.credential.kind === 'oidc' && text.includes('subject');
  if (!isOfRight && !isOfSubject && !AUTHENTICATION.test(text)) return [];
  const [found = isOfRight ? 'right' : 'credential'] = refusesCredential(refusal);
  return [found, 'accepted-credential'];
}

/** A field that the request does not have: another form is meant. */
export function wantsOtherForm({ task: { plan }, lines }: Refusal): readonly Cause[] {
  const names = [SCAN_KEY_PART, ...plan.operation.parts.map(({ name }) => name)].map(foldName);
  const isOther = lines.some((line) => {
    const found = FIELD.exec(line);
    return found !== null && !names.includes(foldName(found[1] ?? found[2] ?? ''));
  });
  return isOther ? ['form'] : [];
}

/** The key and the files, by the names of their parts. What is shown decides before the rest. */
export function namesInputs({ task, text, lines }: Refusal): readonly Cause[] {
  const found = [lines.join('\n'), text].map((words) => listNamed(words, task));
  return found.find((causes) => causes.length > 0) ?? [];
}

function listNamed(words: string, { plan, scanKey }: UploadTask): readonly Cause[] {
  const folded = foldName(words);
  const isOfKey = folded.includes(foldName(SCAN_KEY_PART)) || words.includes(scanKey.toLowerCase());
  const parts = plan.operation.parts.map(({ name }) => name);
  const named = parts.filter((name) => folded.includes(foldName(name)));
  const files =
    named.length === 0 && FORMATS.some((name) => words.includes(name))
      ? (['files'] as const)
      : named;
  return [...(isOfKey ? (['key'] as const) : []), ...files];
}

/** A server that does not know the path often says it. */
export function namesPath({ task: { url }, lines }: Refusal): readonly Cause[] {
  const path = url.pathname.slice(url.pathname.lastIndexOf(OPERATIONS_PATH) + 1);
  return lines.some((line) => line.includes(path)) ? ['address', 'accepted-address'] : [];
}

/** What is not found. A page may have such words in its navigation. */
export function namesKey({ response, task, lines }: Refusal): readonly Cause[] {
  const words = lines.join('\n');
  if (listNamed(words, task).includes('key')) return ['key'];
  return response.kind !== 'web-page' && SCAN.test(words) ? ['key'] : [];
}

/** The action adds /v1 itself. */
export function doublesVersion({ task: { url } }: Refusal): readonly Cause[] {
  return url.pathname.includes(`/v1${OPERATIONS_PATH}`) ? ['address'] : [];
}

/** Of a problem, the service has the path, or its framework says so of any. */
export function isFoundByService({ response }: Refusal): readonly Cause[] {
  return response.problem === undefined ? [] : ['key', 'address', 'accepted-address'];
}

/** IIS hides its limit. */
export function hidesLimit({ response, task, text }: Refusal): readonly Cause[] {
  const isOfIis = String(response.headers.server).startsWith('Microsoft-IIS');
  const isLarge = task.body.length > IIS_BYTES && IIS.some((said) => text.includes(said));
  return isOfIis && isLarge ? ['size', 'address'] : [];
}
