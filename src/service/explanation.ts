import { STATUS_CODES } from 'node:http';
import { foldName, isObject, isRecord, listMembers } from '../json.ts';
import { isCredentialMember } from '../redaction/credential-names.ts';
import { cutLines, cutText, cutWhole, joinWhiteSpace, listLines } from '../text.ts';
import type { ServiceResponse } from './attempt.ts';
import { findDescription } from './headers.ts';
import { UNSHOWN_ELEMENTS, findTitle, isWebPage, readMarkup } from './page.ts';
import { ERROR_LISTS, isOfFailure, listFailures } from './stated-failure.ts';
import type { Member } from './stated-failure.ts';
import type { ResponseBody } from './verdict.ts';

/** The longest text that is shown, in characters; what a success says has no more together. */
const MAX_EXPLANATION_CHARACTERS = 1500;
/** The longest error of a field or of a list, so that one does not take the place of all others. */
const MAX_FIELD_ERROR_CHARACTERS = 200;
const MAX_FIELD_CHARACTERS = 100;
/** How many lines are shown of a text, and of a success in JSON. */
const MAX_TEXT_LINES = 2;
const MAX_JSON_LINES = 6;

// Names of members, as `foldName` writes them.
const OTHER_MAPS = 'violations invalidparams modelstate fielderrors issues constraints'.split(' ');
/** Members with field errors, of which an object is a map from fields to messages. */
const MAPS = [...ERROR_LISTS, ...OTHER_MAPS];
const OTHER_TEXTS =
  'message msg defaultmessage errordescription errormessage description reason title error details';
/** Members that say what happened, the most specific first. */
const TEXTS = ['detail', ...MAPS, ...OTHER_TEXTS.split(' '), 'embedded'];
/** Members that name the field of an error. */
const FIELDS =
  'field path instancepath propertypath propertyname property param loc pointer name'.split(' ');
/** What is shown of a success besides its sentences. */
const STATEMENTS = ['status', 'state', 'result', 'code', 'message', 'id'];

/** Words with which error pages fill their titles, and products (`nginx/1.22.1`). */
const FILLER =
  /\b(?:https?|status|error|code|server|an?|has|occurred|message|type|report|detail)\b|^[\w-]+\/v?[\d.]+$/gi;
const SENTENCE = /\S\s\S/;
/** So many words of a page are a sentence, even without a full stop. */
const SENTENCE_WORDS = 4;
/** How a page names the id with which its operators find the request: `Your support ID is: 17`, `Reference #1a.7`. */
const SUPPORT_ID = /\b(?:x?id|reference|incident)\b[\w ]{0,12}[:#=]\W{0,3}\w*\d/i;
/** A word that may be a token or a signed address. */
const LONG_WORD = /\S{40}/;

/**
 * Returns what a refusal says, the most important text first: a problem's whole detail, field errors, other texts of
 * JSON, what a page says, or the first lines of a text, and then what its challenge says. Tags, and what only repeats the
 * status, are left out.
 */
export function readExplanation(
  status: number,
  body: ResponseBody,
  challenge = '',
): readonly string[] {
  const known = listTexts(body.value)
    .map((text) => selectLines([text], status).join('\n'))
    .filter((text) => text !== '');
  const said = known.length > 0 ? known : readFirst(status, body);
  const texts = new Set([...said, ...selectLines([findDescription(challenge)], status)]);
  return Array.from(texts, (text) => cutWhole(text, MAX_EXPLANATION_CHARACTERS));
}

/**
 * Returns what a success says: of JSON some members and sentences, of a text the first lines. It warns of failures that
 * another member overrules, and all that it says is a warning beside a member that is false (`"imported": false`).
 */
export function readConfirmation(
  status: number,
  body: ResponseBody,
): Pick<ServiceResponse, 'says' | 'warnings'> {
  const { value } = body;
  const select = (texts: readonly string[]): readonly string[] => {
    const lines = selectLines(texts, status).filter(isShown);
    return cutLines(lines.slice(0, MAX_JSON_LINES), MAX_EXPLANATION_CHARACTERS);
  };
  if (!isObject(value)) return { says: select(readFirst(status, body)), warnings: [] };
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  // Of a success, these are overruled.
  const overruled = listFailures(value);
  const isDoubtful = members.some(([name, member]) => member === false && !isOfFailure(name));
  const names = new Set(overruled.map(({ name }) => name));
  const others = members.filter(([name]) => !names.has(name));
  const { certain = [], doubted = [] } = Object.groupBy(others, ([name]) =>
    isDoubtful && foldName(name) !== 'id' ? 'doubted' : 'certain',
  );
  const warned = members.filter(([name]) => foldName(name) === 'warnings');
  const warnings = [
    ...overruled.flatMap(describeOverruled),
    ...warned.flatMap(([, member]) => listSentences(member)),
    ...doubted.flatMap(listStatements),
  ];
  return { says: select(certain.flatMap(listStatements)), warnings: select(warnings) };
}

/** A member as `name: value`; one with several texts has several lines, each of which repeats its name. */
function describeOverruled({ name, value }: Pick<Member, 'name' | 'value'>): readonly string[] {
  const label = joinFields([name]);
  if (!isObject(value)) return [`${label}: ${String(value)}`];
  const texts = listTexts({ [name]: value });
  return texts.length > 0 ? texts.map((text) => `${label}: ${text}`) : [label];
}

/** Returns what a page says, or the first lines of a text, or the first sentences of JSON unless it cannot be read. */
function readFirst(status: number, body: ResponseBody): readonly string[] {
  const { type, text, value, isRead } = body;
  if (!isRead) return [];
  if (text.startsWith('<') && isWebPage(type, text)) return readPage(status, text);
  const texts = isObject(value)
    ? listSentences(value).filter(isShown)
    : listLines(readMarkup(text, UNSHOWN_ELEMENTS));
  return [...new Set(selectLines(texts, status))].slice(0, MAX_TEXT_LINES);
}

/**
 * Returns the title of a page, unless it repeats the status, and the first sentence that does not repeat the title. A page
 * without both has its first text. The line with an id for its operators follows.
 */
function readPage(status: number, text: string): readonly string[] {
  const lines = selectLines([readMarkup(text)], status);
  const titles = selectLines([joinWhiteSpace(findTitle(text))], status);
  const known = new Set(titles.flatMap((title) => listWords(title, status)));
  // What is above the main heading may be navigation, or a word on cookies.
  const main = selectLines([readMarkup(text.slice(Math.max(0, text.search(/<h1\b/i))))], status);
  const sentence = [...main, ...lines].find((line) => {
    const own = listWords(line, status).filter((word) => !known.has(word)).length;
    return own >= SENTENCE_WORDS ? !line.endsWith(':') : own > 1 && /[.!]$/.test(line);
  });
  const said = [...titles, sentence].filter((line) => line !== undefined);
  const first = said.length > 0 ? said : lines.slice(0, 1);
  return [...new Set([...first, ...lines.filter((line) => SUPPORT_ID.test(line)).slice(0, 1)])];
}

/** The words of a line in lower case, without marks and the status. */
function listWords(line: string, status: number): readonly string[] {
  const words = joinWhiteSpace(line.toLowerCase().replaceAll(/[^\p{L}\p{N}\s]/gu, ''));
  return words.split(' ').filter((word) => word !== '' && word !== String(status));
}

/** What a member at the root of a success says. */
function listStatements([name, value]: readonly [string, unknown]): readonly string[] {
  if (typeof value !== 'string' && typeof value !== 'number') return [];
  const isNamed = STATEMENTS.includes(foldName(name)) && !SENTENCE.test(String(value));
  return isNamed ? [`${name}: ${value}`] : listSentences(value, isUnshownName(name));
}

/** The texts of a value that are sentences, unless the name of their member, which is read once, leaves them out. */
function listSentences(value: unknown, isUnshown = false): readonly string[] {
  if (typeof value === 'string') return SENTENCE.test(value) && !isUnshown ? [value] : [];
  if (!isObject(value)) return [];
  if (Array.isArray(value)) return value.flatMap((entry) => listSentences(entry, isUnshown));
  return Object.entries(value).flatMap(([name, member]) =>
    listSentences(member, isUnshownName(name)),
  );
}

/** Whether the texts of a member with this name say nothing, or may be credentials. */
function isUnshownName(name: string): boolean {
  return foldName(name) === 'type' || isCredentialMember(name);
}

/** Whether a line of a success may be shown: it has no JSON, and no word that may be a token. */
function isShown(line: string): boolean {
  return !line.includes('{') && !LONG_WORD.test(line);
}

/** The texts of a JSON value that say what happened, the most specific first, a field error as `field: message`. */
function listTexts(value: unknown, field = ''): readonly string[] {
  if (typeof value === 'string') {
    return [field.trim() === '' ? value : cutError(`${field}: ${value.trim()}`)];
  }
  if (!isObject(value)) return [];
  if (Array.isArray(value)) {
    return value.flatMap((entry) => listTexts(entry, field || findField(entry)));
  }
  const members = new Map(listMembers(value));
  const read = TEXTS.filter((name) => members.has(name)).map((name) => {
    const member = members.get(name);
    const texts = MAPS.includes(name)
      ? listFieldErrors(member, field).map(cutError)
      : listTexts(member, field);
    return { name, texts };
  });
  const known = read.filter(({ texts }) => texts.length > 0);
  // Beside a detail or field errors, a title only says that there are some.
  const hasMore = known.some(({ name }) => ['detail', ...MAPS].includes(name));
  const said = known.flatMap(({ name, texts }) => (hasMore && name === 'title' ? [] : texts));
  if (said.length > 0) return said;
  // Other texts may be tokens, so only lists and objects are read. No member is read twice: that would double the time
  // with each level.
  const others = Object.entries(value).filter(
    ([name, member]) => isObject(member) && !TEXTS.includes(foldName(name)),
  );
  return others.flatMap(([name, member]) => listTexts(member, joinFields([field, name])));
}

/** The texts of a list of errors, or of an object whose members are fields. */
function listFieldErrors(value: unknown, field: string): readonly string[] {
  if (!isRecord(value)) return listTexts(value, field);
  return Object.entries(value).flatMap(([name, member]) =>
    listTexts(member, joinFields([field, name])),
  );
}

function cutError(text: string): string {
  return cutText(text, MAX_FIELD_ERROR_CHARACTERS);
}

/** Returns the field that an entry in a list of errors names as a text, or as the parts of a path. */
function findField(entry: unknown): string {
  if (!isObject(entry)) return '';
  const source = 'source' in entry && isObject(entry.source) ? entry.source : entry;
  const members = new Map(listMembers(source));
  const name = FIELDS.map((each) => members.get(each)).find((each) => each !== undefined);
  return joinFields([name]);
}

/** Joins the names of a path. A long one is cut, because each text below it repeats it. */
function joinFields(names: readonly unknown[]): string {
  const path = names.flat().filter((name) => name !== '' && !isObject(name));
  return cutText(path.join('.'), MAX_FIELD_CHARACTERS);
}

/** The lines of texts that say more than the status. */
function selectLines(texts: readonly string[], status: number): readonly string[] {
  return texts
    .flatMap(listLines)
    .map((line) => cutText(joinWhiteSpace(line), MAX_EXPLANATION_CHARACTERS))
    .filter((line) => !isStatus(line, status));
}

/** Whether a text only repeats the status of its response: `HTTP Status 404 – Not Found`. */
function isStatus(text: string, status: number): boolean {
  const name = STATUS_CODES[status] ?? '';
  const rest = text.toLowerCase().replace(name.toLowerCase(), '').replace(String(status), '');
  return !/\p{L}|\d\d/u.test(rest.replace(FILLER, ''));
}
