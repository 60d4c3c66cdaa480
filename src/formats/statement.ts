import { isObject } from '../json.ts';
import { joinWhiteSpace } from '../text.ts';
import type { Content } from './content.ts';
import type { ErrorColumn, Format } from './format.ts';
import { findText, hasMark, isMark, readText, select, selectItems, selectTexts } from './values.ts';

// What a report says of its own scan, by the columns `errors`, `read` and `subject` of its format.

/** An error that a document states. */
interface StatedError {
  readonly words: string;
  /** Whether the scan failed by it; otherwise only a part of it. */
  readonly isFatal: boolean;
  /** How many errors it stands for. */
  readonly count: number;
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
  const { errors: columns = [], read, subject = [] } = format;
  const errors = columns.flatMap((column) => readErrors(column, document));
  const worst = errors.find(({ isFatal }) => isFatal);
  const [first] = worst === undefined ? errors : [worst];
  const name = findText(document, ...subject);
  const isIdle = first === undefined && !hasFindings && read !== undefined;
  return {
    ...(name !== undefined && { subject: joinWhiteSpace(name) }),
    ...(first !== undefined && {
      scan: worst === undefined ? ('partial' as const) : ('failed' as const),
      firstError: joinWhiteSpace(first.words),
      errors: errors.reduce((sum, { count }) => sum + count, 0),
    }),
    ...(isIdle && countRead(document, read) === 0 && { scan: 'idle' as const }),
  };
}

/** Whether a document states an error of its own scan. */
export function hasErrors({ errors = [] }: Format, document: unknown): boolean {
  return errors.some((column) => readErrors(column, document).length > 0);
}

/** The errors of the first place that has some: tools state the same ones in several. */
function readErrors(column: ErrorColumn, document: unknown): readonly StatedError[] {
  for (const place of column.at) {
    if (isMark(place)) {
      if (hasMark(document, place)) return [{ words: nameMark(place), isFatal: true, count: 1 }];
      continue;
    }
    const items = selectItems(document, place).filter((item) => isError(item, column));
    const isAll = isEverything(items, column, document);
    if (items.length > 0) return items.map((item) => readError(item, place, column, isAll));
  }
  return [];
}

function isError(item: unknown, { words, level }: ErrorColumn): boolean {
  if (!isObject(item)) return Boolean(item);
  if (words !== undefined) return findText(item, words) !== undefined;
  return level === undefined || !HARMLESS_LEVELS.includes(findLevel(item, level));
}

function findLevel(item: unknown, level: string): string {
  return (findText(item, level) ?? '').toLowerCase();
}

function readError(
  item: unknown,
  place: string,
  { words, level, about, isFatal }: ErrorColumn,
  isAll: boolean,
): StatedError {
  const isWorst = level !== undefined && FATAL_LEVELS.includes(findLevel(item, level));
  const subject = about === undefined ? undefined : findText(item, about);
  const own = findText(item, ...(words === undefined ? [] : [words]), ...WORDS);
  const stated = [subject, own].filter((text) => text !== undefined).join(': ');
  const name = place.replace(/^.*\//, '').replaceAll('_', ' ');
  return {
    words:
      isObject(item) || typeof item === 'string'
        ? (readText(item) ?? (stated || name))
        : `${name}: ${String(item)}`,
    isFatal: isFatal === true || isAll || isWorst,
    count: typeof item === 'number' ? item : 1,
  };
}

/** Whether nothing was read but what these errors are about. */
function isEverything(
  errors: readonly unknown[],
  { rest = [], about = '', isPart = [] }: ErrorColumn,
  document: unknown,
): boolean {
  const places = rest.map((path) => path.split('/').slice(0, -1).join('/'));
  const isStated = places.some((path) => select(document, path).length > 0);
  if (errors.length === 0 || !isStated) return false;
  const whole = errors.filter((error) => !isPart.some((mark) => hasMark(error, mark)));
  const failed = new Set(
    whole.flatMap((error) => (isObject(error) ? selectTexts(error, about) : [])),
  );
  const read = rest.flatMap((path) => selectTexts(document, path));
  return read.every((text) => text === '0' || failed.has(text));
}

/** `status: failure`, or `no results`. */
function nameMark(mark: string): string {
  const [name = ''] = mark.split('/').slice(-1);
  return name.includes('!') ? `no ${name.replace(/^.*!/, '')}` : name.replace('=', ': ');
}

/** How much a document says that was read; undefined if it does not say it. */
function countRead(document: unknown, paths: readonly string[]): number | undefined {
  const values = paths.flatMap((path) => select(document, path)).filter((value) => value !== null);
  if (values.length === 0) return undefined;
  return values.reduce((sum: number, value) => sum + measure(value), 0);
}

function measure(value: unknown): number {
  if (typeof value === 'number') return value;
  return isObject(value) ? Object.keys(value).length : Number(Boolean(value));
}
