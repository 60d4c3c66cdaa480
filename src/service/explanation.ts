import { STATUS_CODES } from 'node:http';
import { foldName, isObject, listMembers } from '../json.ts';
import { mayBeCredentialName } from '../redaction/credential-names.ts';
import { cutText, joinWhiteSpace, listLines, stripInvisible } from '../text.ts';
import { beginsAsJson } from './response-kind.ts';
import type { Body } from './response-kind.ts';

/** The longest text and name of a field that are shown, in characters. */
const MAX_TEXT_CHARACTERS = 1500;
const MAX_FIELD_CHARACTERS = 200;
/** How much of a page or another text is read for its first lines. */
const MAX_READ_CHARACTERS = 64 * 1024;
/** How many lines are shown of a page or another text, and of a success in JSON. */
const MAX_LINES = 2;
const MAX_SUCCESS_LINES = 6;

/** Members with field errors, of which an object is a map from fields to messages. */
const MAPS =
  'errors errormessages validationerrors violations invalidparams modelstate fielderrors issues constraints'.split(
    ' ',
  );
const MESSAGES =
  'message msg defaultmessage errordescription errormessage description reason title error details';
/** Members that say what happened, the most specific first. */
const TEXTS = ['detail', ...MAPS, ...MESSAGES.split(' '), 'embedded'];
/** Members that name the field of an error. */
const FIELDS =
  'field path instancepath propertypath propertyname property param loc pointer name'.split(' ');
/** What a success says besides its sentences, and where its warnings are. */
const SHOWN = ['status', 'state', 'result', 'code', 'message', 'id'];
const WARNINGS = ['warnings', 'errors', 'errormessages', 'validationerrors'];

/** Comments, and elements that are not shown. */
const HIDDEN = /<!--[^]*?(?:-->|$)|<(script|style|noscript|template)\b[^]*?(?:<\/\1[^<>]*>?|$)/gi;
/** Elements within a line; all others begin a new line. */
const INLINE =
  /<\/?(?:a|abbr|b|cite|code|em|font|i|ins|kbd|small|span|strong|tt|u)(?![\w:-])[^<>]*>?/gi;
const TAG = /<[a-z/!?][^<>]*>?/gi;
/** A status before a text: `HTTP/1.1 404 Not Found: `. */
const STATUS = /^(?:http\S*\s+)?(?:status\s+)?(?:(?:error|code)[\s:]+)?(\d{3})\b(?:\.\d+)?/i;
const SEPARATOR = /^[\s:.|–—-]+/;
/** Words with which error pages fill their titles, and products (`nginx/1.22.1`). */
const FILLER =
  /\b(?:https?|status|error|code|server|an?|has|occurred|message|type|report|detail)\b|^[\w-]+\/v?[\d.]+$/gi;
/** A line of a stack: `at a.b(c.js:1)`, `at /a/b.js:1`. */
const STACK = /^at (?:async |new )?\S*[.(:/]/;
const SENTENCE = /\S\s\S/;
/** A word that may be a token or a signed address. */
const LONG_WORD = /\S{40}/;

/**
 * What a refusal says, the most important text first: a problem's whole detail, field errors, other texts of JSON, or
 * the first lines of a page or a text; then what its challenge says (RFC 6750, section 3). Never tags or a stack, and
 * nothing that only repeats the status.
 */
export function readExplanation(status: number, body: Body, challenge = ''): readonly string[] {
  const known = listTexts(body.value)
    .map((text) => selectLines([text], status).join('\n'))
    .filter((text) => text !== '');
  const said = known.length > 0 ? known : readFirst(status, body);
  const asked = /\berror_description="([^"]*)"/.exec(challenge)?.[1] ?? '';
  const texts = new Set([...said, ...selectLines([asked], status)]);
  return Array.from(texts, (text) => cutText(text, MAX_TEXT_CHARACTERS));
}

/** What a success says: of JSON some members and sentences, of a text the first lines. */
export function readConfirmation(status: number, body: Body): readonly string[] {
  const { value } = body;
  if (!isObject(value)) return readFirst(status, body).filter(isShown);
  const texts = Object.entries(value).flatMap(([name, member]) => {
    if (typeof member !== 'string' && typeof member !== 'number') return [];
    const isNamed = SHOWN.includes(foldName(name)) && !SENTENCE.test(String(member));
    return isNamed ? [`${name}: ${member}`] : listSentences(member, name);
  });
  return selectLines(texts, status).filter(isShown).slice(0, MAX_SUCCESS_LINES);
}

/** What a success warns of: a failure that another member overrules is a warning. */
export function readWarnings(status: number, { value }: Body): readonly string[] {
  const members = Object.entries(isObject(value) ? value : {});
  const warnings = members.filter(([name]) => WARNINGS.includes(foldName(name)));
  const sentences = warnings.flatMap(([name, member]) => listSentences(member, name));
  return selectLines(sentences, status).filter(isShown).slice(0, MAX_SUCCESS_LINES);
}

/** A text as it is; a page without its tags, an element a line. */
export function stripTags(text: string): string {
  // No sentence about a tag: `<bom> is missing`.
  if (!/^<[a-z!?]/i.test(text) || !/<(?:[/!?]|html|p>)/i.test(text)) return text;
  const shown = text
    .replace(HIDDEN, '')
    // The lines of a stack stay lines.
    .replaceAll(/\n(?![ \t]*at )/g, ' ')
    .replace(INLINE, '')
    .replace(TAG, '\n');
  return stripInvisible(decodeReferences(shown));
}

/** The first sentences of JSON, or the first lines of a page or a text; nothing of JSON that cannot be read. */
function readFirst(status: number, { text = '', value }: Body): readonly string[] {
  if (value === undefined && beginsAsJson(text)) return [];
  const whole = (typeof value === 'string' ? value : text).slice(0, MAX_READ_CHARACTERS);
  const texts = isObject(value)
    ? listSentences(value).filter(isShown)
    : listLines(stripTags(whole));
  const trimmed = texts.map((line) => trimStatus(line, status));
  const lines = [...new Set(selectLines(trimmed, status))];
  // What follows introduces a list or code.
  const end = lines.findIndex((line) => line.endsWith(':'));
  return lines.slice(0, end > 0 ? Math.min(end, MAX_LINES) : MAX_LINES);
}

/** The texts of a value that are sentences, unless the name of their member says that they are credentials. */
function listSentences(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string') {
    return SENTENCE.test(value) && !mayBeCredentialName(name) ? [value] : [];
  }
  if (!isObject(value)) return [];
  if (Array.isArray(value)) return value.flatMap((entry) => listSentences(entry, name));
  return Object.entries(value).flatMap(([key, member]) => listSentences(member, key));
}

/** Whether a line of a success may be shown: it has no JSON, and no word that may be a token. */
function isShown(line: string): boolean {
  return !line.includes('{') && !LONG_WORD.test(line);
}

/**
 * The texts of a JSON value that say what happened, the most specific first, a field error as `field: message`. The
 * members of a map are fields.
 */
function listTexts(value: unknown, field = '', isMap = false): readonly string[] {
  if (typeof value === 'string') return [field.trim() === '' ? value : `${field}: ${value.trim()}`];
  if (!isObject(value)) return [];
  if (Array.isArray(value)) {
    return value.flatMap((entry) => listTexts(entry, field || findField(entry)));
  }
  const members = new Map(listMembers(value));
  const known = (isMap ? [] : TEXTS).flatMap((name) =>
    listTexts(members.get(name), field, MAPS.includes(name)),
  );
  if (known.length > 0) return known;
  // Other members than those of a map may be tokens, so only their lists are field errors. None is read twice: each
  // level would double the time.
  return Object.entries(value)
    .filter(([name, member]) => isMap || (isObject(member) && !TEXTS.includes(foldName(name))))
    .flatMap(([name, member]) => listTexts(member, joinFields(field, name)));
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
  return shown.join('.').slice(0, MAX_FIELD_CHARACTERS);
}

/** The lines of texts that say more than the status, and are not of a stack. */
function selectLines(texts: readonly string[], status: number): readonly string[] {
  return texts
    .flatMap(listLines)
    .map(joinWhiteSpace)
    .filter((line) => !STACK.test(line) && !isStatus(line, status));
}

/** Whether a text only repeats the status of its response: `HTTP Status 404 – Not Found`. */
function isStatus(text: string, status: number): boolean {
  const name = STATUS_CODES[status] ?? '';
  const rest = text.toLowerCase().replace(name.toLowerCase(), '').replace(String(status), '');
  return !/\p{L}|\d\d/u.test(rest.replace(FILLER, ''));
}

/** A line without its status: `HTTP Status 404 – Not Found: `. */
function trimStatus(line: string, status: number): string {
  const [start = '', code] = STATUS.exec(line) ?? [];
  if (code !== String(status)) return line.replace(`(${status})`, '');
  const rest = line.slice(start.length).replace(SEPARATOR, '');
  const name = STATUS_CODES[status] ?? '';
  const isNamed = rest.toLowerCase().startsWith(name.toLowerCase());
  return isNamed ? rest.slice(name.length).replace(SEPARATOR, '') : rest;
}

/** The names of references that XML and nearly all error pages use. */
const REFERENCES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

/** A text with the characters that references in it stand for. HTML allows numbers without a semicolon. */
function decodeReferences(text: string): string {
  return text.replace(/&(?:#\d+;?|#x[\da-f]+;?|[a-z]+;)/gi, (reference) => {
    const name = reference.slice(1).replace(';', '').toLowerCase();
    if (!name.startsWith('#')) return REFERENCES.get(name) ?? reference;
    const code = Number(name.replace('#', '').replace('x', '0x'));
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : reference;
  });
}
