import { isObject } from '../json.ts';
import { joinWhiteSpace } from '../text.ts';
import type { Content } from './content.ts';
import type { ErrorColumn, Format } from './format.ts';
import {
  findText,
  hasMark,
  isMark,
  readMember,
  readText,
  select,
  selectItems,
  selectTexts,
} from './values.ts';

// What a report says of its own scan, by the columns `errors`, `read` and `subject` of its format.

/** The errors that a document states in one column. */
interface StatedErrors {
  readonly count: number;
  /** Whether the scan failed; otherwise a part of it. */
  readonly isFatal: boolean;
  /** The first of the worst errors. */
  readonly words: string;
}

/** The levels of errors: those of a scan that failed, and those of what is no error. Any other is of a part. */
const FATAL_LEVELS = ['error', 'fatal', 'critical'];
const HARMLESS_LEVELS = ['note', 'none', 'info', 'debug'];
/** Where an error has its words, if its column does not say it. */
const WORDS =
  'message/text message reason value exception/message long_msg short_msg type descriptor/id'.split(
    ' ',
  );

/** What a document says of its own scan, and of what was scanned. */
export function readStatement(
  format: Format,
  document: unknown,
  hasFindings: boolean,
): Pick<Content, 'subject' | 'scan' | 'firstError' | 'errors'> {
  const { errors: columns = [], read = [], subject = [] } = format;
  const stated = columns.flatMap((column) => readErrors(column, document) ?? []);
  const first = stated.find(({ isFatal }) => isFatal) ?? stated[0];
  const name = findText(document, ...subject);
  const isIdle = first === undefined && !hasFindings && hasReadNothing(document, read);
  return {
    ...(name !== undefined && { subject: joinWhiteSpace(name) }),
    ...(first !== undefined && {
      scan: first.isFatal ? ('failed' as const) : ('partial' as const),
      firstError: joinWhiteSpace(first.words),
      errors: stated.reduce((sum, { count }) => sum + count, 0),
    }),
    ...(isIdle && { scan: 'idle' as const }),
  };
}

/** Whether a document states an error of its own scan. */
export function hasErrors({ errors = [] }: Format, document: unknown): boolean {
  return errors.some((column) => readErrors(column, document) !== undefined);
}

/** The errors of the first place that has some: tools state the same ones in several. */
function readErrors(column: ErrorColumn, document: unknown): StatedErrors | undefined {
  for (const place of column.at) {
    if (isMark(place)) {
      if (hasMark(document, place)) return { count: 1, isFatal: true, words: nameMark(place) };
      continue;
    }
    const errors = selectItems(document, place).filter((item) => isError(item, column));
    const [first] = errors;
    if (first === undefined) continue;
    const fatal = errors.find((error) => FATAL_LEVELS.includes(findLevel(error, column)));
    const isAll = column.isFatal === true || isEverything(errors, column, document);
    return {
      count: errors.reduce(
        (sum: number, error) => sum + (typeof error === 'number' ? error : 1),
        0,
      ),
      isFatal: isAll || fatal !== undefined,
      words: describeError(fatal ?? first, place, column),
    };
  }
  return undefined;
}

function isError(item: unknown, column: ErrorColumn): boolean {
  if (!isObject(item)) return Boolean(item);
  if (column.words !== undefined) return Boolean(readMember(item, column.words));
  return !HARMLESS_LEVELS.includes(findLevel(item, column));
}

function findLevel(error: unknown, { level }: ErrorColumn): string {
  return (level === undefined ? '' : (readMember(error, level) ?? '')).toLowerCase();
}

/** What an error is about, and its words; of a number of errors their name: `parsing errors: 2`. */
function describeError(error: unknown, place: string, { words, about = '' }: ErrorColumn): string {
  const name = place.replace(/^.*\//, '').replaceAll('_', ' ');
  if (!isObject(error))
    return typeof error === 'string' ? (readText(error) ?? '') : `${name}: ${String(error)}`;
  const paths = words === undefined ? WORDS : [words];
  const stated = [readMember(error, about), findText(error, ...paths)];
  return stated.filter((text) => text !== undefined).join(': ') || name;
}

/** Whether nothing was read but what these errors are about. */
function isEverything(
  errors: readonly unknown[],
  { rest = [], about = '', isPart = [] }: ErrorColumn,
  document: unknown,
): boolean {
  const places = rest.map((path) => path.split('/').slice(0, -1).join('/'));
  if (!places.some((path) => select(document, path).length > 0)) return false;
  const whole = errors.filter((error) => !isPart.some((mark) => hasMark(error, mark)));
  const failed = new Set(whole.map((error) => readMember(error, about)));
  const read = rest.flatMap((path) => selectTexts(document, path));
  return read.every((text) => text === '0' || failed.has(text));
}

/** `status: failure`, or `no results`. */
function nameMark(mark: string): string {
  const [name = ''] = mark.split('/').slice(-1);
  return name.includes('!') ? `no ${name.replace(/^.*!/, '')}` : name.replace('=', ': ');
}

/** Whether a document says how much was read, and that this is nothing. */
function hasReadNothing(document: unknown, paths: readonly string[]): boolean {
  const values = paths.flatMap((path) => select(document, path)).filter((value) => value !== null);
  return values.length > 0 && values.every(isNothing);
}

function isNothing(value: unknown): boolean {
  return isObject(value) ? Object.keys(value).length === 0 : !value;
}
