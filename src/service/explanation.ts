import { STATUS_CODES } from 'node:http';
import { decodeReferences } from '../html.ts';
import { foldName, isObject, listMembers, mapJson, tryJson } from '../json.ts';
import { cutAtWord, cutText, joinWhiteSpace, listLines, stripInvisible } from '../text.ts';
import type { ServiceResponse } from './attempt.ts';

/** The longest text, that of a problem's detail, and the longest name of a field, in characters. */
const MAX_TEXT_CHARACTERS = 1000;
const MAX_DETAIL_CHARACTERS = 1500;
const MAX_FIELD_CHARACTERS = 200;
/** How many lines of other texts than a problem's detail are shown. */
const MAX_LINES = 6;
/** More than are shown. */
const MAX_TEXTS = 100;

/** Members with field errors, of which an object is a map from fields to messages. */
const MAPS = [
  'errors',
  'violations',
  'invalidparams',
  'modelstate',
  'fielderrors',
  'issues',
  'constraints',
];
const MESSAGES =
  'title message msg defaultmessage error errordescription errormessage description reason details';
/** Members that say what happened, the most specific first. */
const TEXTS = ['detail', ...MAPS, ...MESSAGES.split(' '), 'embedded'];
/** Members that name the field of an error. */
const FIELDS =
  'field path instancepath propertypath propertyname property param loc pointer name'.split(' ');
/** What of a success is shown first, before other members that are sentences. */
const SUCCESS_TEXTS = ['message', 'detail', 'title', 'description'];
const WARNINGS = ['warnings', 'errors'];
/** What JSON looks like, also if it is truncated. */
const JSON_START = /^\s*[{[]\s*["{[]/;

/** Comments, and elements that are not shown. */
const HIDDEN = /<!--[^]*?(?:-->|$)|<(script|style|noscript|template)\b[^]*?(?:<\/\1\b[^<>]*>|$)/gi;
/** Elements within a line; all others begin a new line. */
const INLINE =
  /<\/?(?:abbr|a|b|cite|code|em|font|ins|i|kbd|small|span|strong|tt|u)(?![\w:-])[^<>]*>?/gi;
const TAG = /<[a-z/!?][^<>]*>?/gi;

/** Words with which error pages fill their titles, and products (`nginx/1.22.1`). */
const FILLER =
  /\b(?:https?|status|error|code|server|an?|has|occurred|message|type|report|detail)\b|^[\w-]+\/v?[\d.]+$/gi;
/** What says less than a sentence does: a name, a code, or an old name of the status. */
const MINOR =
  /^(?:[\x21-\x7e]+|Request Entity Too Large|(?:Gateway|Request) Time-out|Service Temporarily Unavailable|Not Allowed|Authorization Required|Proxy Error)$/i;

/** The texts of a response, without invisible characters: `text` is empty if its body is JSON, else `value` is undefined. */
type VisibleResponse = Pick<ServiceResponse, 'status' | 'headers'> & {
  readonly text: string;
  /** Whether the text is not truncated. */
  readonly isWhole: boolean;
  readonly value: unknown;
};

/**
 * What a refusal says, the most important text first: a problem's whole detail, field errors, other texts of JSON, or
 * the first lines of a page or a text; then what its challenge says (RFC 6750, section 3). Names and codes such as
 * `invalid_request` come last. Never JSON, tags or a stack, and nothing that only repeats the status.
 */
export function readExplanation(response: VisibleResponse): readonly string[] {
  const { status, headers, text, value } = response;
  const texts = listTexts(value).slice(0, MAX_TEXTS);
  const detail = isObject(value) && 'detail' in value ? value.detail : undefined;
  const isText = typeof detail === 'string' && !isObject(tryJson(detail.trim()));
  const challenge = /\berror_description="([^"]*)"/.exec(headers['www-authenticate'] ?? '')?.[1];
  const shorten = (each = ''): string => readLines(each, status).join('\n');
  const others = [
    ...texts.filter((each) => each !== detail).map(shorten),
    ...(JSON_START.test(text) ? [] : readLines(text, status)),
    shorten(challenge),
  ];
  const said = [
    isText ? readDetail(detail, status) : '',
    ...others.filter((each) => !MINOR.test(each)),
    ...others.filter((each) => MINOR.test(each)),
  ];
  return [...new Set(said)].filter((each) => each !== '');
}

/** A word that may be a token or a signed address. */
const LONG_WORD = /\S{41}/;

/** What a success says: of JSON some members and sentences, of a text the first lines. Anything else may be a token or a signed address. */
export function readConfirmation(response: VisibleResponse): readonly string[] {
  const { status, text, isWhole } = response;
  const lines = isWhole && !/[<{[]/.test(text) ? readLines(text, status) : [];
  const members = isObject(response.value) ? listMembers(response.value) : [];
  const sentences = members.filter(
    ([, member]) => typeof member === 'string' && /\S\s\S/.test(member),
  );
  const names = new Set(
    [...SUCCESS_TEXTS, ...sentences.map(([name]) => name)].filter(
      (name) => !WARNINGS.includes(name),
    ),
  );
  const all = [...lines, ...readTexts(response, [...names])];
  return all.filter((line) => !LONG_WORD.test(line)).slice(0, MAX_LINES);
}

/** What a success warns of: `errors` are warnings if another member says yes. */
export function readWarnings(response: VisibleResponse): readonly string[] {
  return readTexts(response, WARNINGS).slice(0, MAX_LINES);
}

/** The lines of members that are texts, messages, or lists of them. */
function readTexts(
  { status, value }: VisibleResponse,
  names: readonly string[],
): readonly string[] {
  const members = new Map(isObject(value) ? listMembers(value) : []);
  return names
    .flatMap((name) => members.get(name))
    .map((member) => (isObject(member) && 'message' in member ? member.message : member))
    .filter((each) => typeof each === 'string')
    .filter((each) => !JSON_START.test(each) && !each.includes('{'))
    .flatMap((each) => readLines(each, status));
}

/**
 * The texts of a JSON value that say what happened, the most specific first, a field error as `field: message`. The
 * members of a map are fields.
 */
function listTexts(value: unknown, field = '', isMap = false): readonly string[] {
  if (typeof value === 'string') return readText(value, field);
  if (!isObject(value)) return [];
  if (Array.isArray(value)) {
    return value.flatMap((entry) => listTexts(entry, field || findField(entry)));
  }
  const members = new Map(listMembers(value));
  const known = (isMap ? [] : TEXTS).flatMap((name) =>
    listTexts(members.get(name), field, MAPS.includes(name)),
  );
  if (known.length > 0) return known;
  // Other members than those of a map may be tokens, so only their lists are field errors.
  return Object.entries(value)
    .filter(([name, member]) => isMap || (isObject(member) && !TEXTS.includes(foldName(name))))
    .flatMap(([name, member]) => listTexts(member, joinFields(field, name)));
}

/** A value of JSON, not nested deeply, with visible texts and names. */
export function stripJson(value: unknown): unknown {
  return mapJson(value, (leaf) => (typeof leaf === 'string' ? stripInvisible(leaf) : leaf));
}

/** A text may be JSON itself. */
function readText(text: string, field: string): readonly string[] {
  if (JSON_START.test(text)) return listTexts(stripJson(tryJson(text.trim())), field);
  if (text.trim() === '') return [];
  return [field.trim() === '' ? text : `${field}: ${text.trimStart()}`];
}

/** The field of an entry in a list of errors: a text, or the parts of a path. */
function findField(entry: unknown): string {
  if (!isObject(entry)) return '';
  const source = 'source' in entry && isObject(entry.source) ? entry.source : entry;
  const members = new Map(listMembers(source));
  const field = FIELDS.map((name) => members.get(name)).find((each) => each !== undefined);
  // FastAPI's paths begin with `body`.
  return joinFields(...[field].flat().filter((part) => part !== 'body'));
}

function joinFields(...names: readonly unknown[]): string {
  const shown = names.filter((name) => name !== '' && /^(?:string|number)$/.test(typeof name));
  return cutText(shown.join('.'), MAX_FIELD_CHARACTERS);
}

/** The whole detail of a problem, unless it only repeats the status. */
function readDetail(detail: string, status: number): string {
  const text = listLines(detail).map(joinWhiteSpace).join('\n');
  return isStatus(text, status) ? '' : cutAtWord(text, MAX_DETAIL_CHARACTERS);
}

/** The first lines of a text that say more than the status, without the status before them, and without a stack. */
function readLines(text: string, status: number): readonly string[] {
  return splitText(text)
    .map((line) => trimStatus(joinWhiteSpace(line.replace(`(${status})`, '')), status))
    .filter((line) => !line.startsWith('at ') && !isStatus(line, status))
    .map((line) => cutAtWord(line, MAX_TEXT_CHARACTERS))
    .slice(0, MAX_LINES);
}

/** Whether a text only repeats the status of its response: `HTTP Status 404 – Not Found`. */
function isStatus(text: string, status: number): boolean {
  const name = STATUS_CODES[status] ?? '';
  const rest = text.toLowerCase().replace(name.toLowerCase(), '').replace(String(status), '');
  return !/\p{L}|(?<![\d.])\d\d/u.test(rest.replace(FILLER, ''));
}

/** A line without its status before it: `HTTP/1.1 404 Not Found: `. */
function trimStatus(line: string, status: number): string {
  const start = String.raw`^(?:HTTP[/\d.]*[\s:]+)?(?:status[\s:]+)?(?:(?:error|code)[\s:]+)?`;
  const name = String.raw`(?:${STATUS_CODES[status] ?? ''}(?!\w))?`;
  const end = String.raw`${status}(?!\w)(?:\.\d+)?[\s:.|–—-]*${name}[\s:.|–—-]*`;
  return line.replace(new RegExp(`${start}${end}`, 'i'), '');
}

/** Whether a text begins with a tag, and is no sentence about one: `<bom> is missing`. */
function isPage(text: string): boolean {
  return /^\s*<[a-z!?]/i.test(text) && /<(?:[/!?]|html|p>)/i.test(text);
}

/** The lines of a text; of a page without tags, and until one that introduces a list or code. */
function splitText(text: string): readonly string[] {
  if (!isPage(text)) return listLines(text);
  const shown = text
    .replace(HIDDEN, '')
    // The lines of a stack stay lines.
    .replaceAll(/\n(?![ \t]*at )/g, ' ')
    .replace(INLINE, '')
    .replace(TAG, '\n');
  // What was written with references may be invisible. Apache forgets a space before its reason.
  const visible = stripInvisible(decodeReferences(shown));
  const lines = listLines(visible.replaceAll('.Reason:', '.\nReason:'));
  const end = lines.findIndex((line) => line.endsWith(':'));
  return lines.slice(0, end > 0 ? end : undefined);
}
