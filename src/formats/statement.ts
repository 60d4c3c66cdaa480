import { isObject } from '../json.ts';
import { joinWhiteSpace } from '../text.ts';
import type { Content } from './content.ts';
import type { ErrorColumn, Format, StatedErrors } from './format.ts';
import type { Findings } from './severity.ts';
import {
  findLine,
  findText,
  hasSign,
  isNothing,
  readMember,
  readText,
  select,
  selectItems,
  selectListed,
} from './values.ts';
import type { Path } from './values.ts';

// What a report says of its own scan, by the columns `errors`, `read` and `subject` of its format.

type Names = ReadonlySet<string | undefined>;

/** The levels of errors: those of a scan that failed, and those of what is no error. Any other is of a part. */
const FATAL_LEVELS = ['error', 'fatal', 'critical'];
const HARMLESS_LEVELS = ['note', 'none', 'info', 'debug'];
/** Where an error has its words, if its column does not say it. */
const WORDS =
  'message/text message reason value exception/message long_msg short_msg text type descriptor/id'.split(
    ' ',
  );

/** What a document with these findings says of its own scan, and of what was scanned. */
export function readStatement(
  format: Format,
  document: unknown,
  findings: Findings,
): Pick<Content, 'subject' | 'scan' | 'firstError' | 'errors'> {
  const stated = listErrors(format, document);
  const first = stated.find(({ isFatal }) => isFatal) ?? stated[0];
  const name = findLine(document, ...(format.subject ?? []));
  if (first === undefined) {
    const isIdle = findings.length === 0 && hasReadNothing(document, format.read);
    return { subject: name, scan: isIdle ? 'idle' : undefined };
  }
  return {
    subject: name,
    scan: first.isFatal ? 'failed' : 'partial',
    firstError: joinWhiteSpace(first.words),
    errors: stated.reduce((sum, { count }) => sum + count, 0),
  };
}

/** The errors that a document states of its own scan, in the order of their columns. */
export function listErrors(format: Format, document: unknown): readonly StatedErrors[] {
  const { errors = [], failedSigns = [], readErrors } = format;
  const signs = failedSigns.filter((sign) => hasSign(document, sign));
  return [
    ...errors.flatMap((column) => readColumn(column, format, document)),
    ...signs.map((sign) => ({
      count: 1,
      isFatal: true,
      words: takeLastName(sign).replace('=', ': '),
    })),
    ...(readErrors?.(document) ?? []),
  ];
}

/** The errors of the first place that has some: tools state the same ones in several. */
function readColumn(
  column: ErrorColumn,
  format: Format,
  document: unknown,
): readonly StatedErrors[] {
  const { at, read = format.read } = column;
  for (const place of at) {
    const errors = selectItems(document, place).filter((item) => isError(item, column));
    if (errors.length === 0) continue;
    const names = listNames(column, document);
    const fatal = errors.find((error) => isFailure(error, column, names));
    const isAll = isEverything(errors, column, names) || hasReadNothing(document, read);
    const counts = errors.map((error) => (typeof error === 'number' ? error : 1));
    return [
      {
        count: counts.reduce((sum, count) => sum + count, 0),
        isFatal: fatal !== undefined || isAll,
        words: describeError(fatal ?? errors[0], place, column),
      },
    ];
  }
  return [];
}

/** The names of all that was to be read; undefined if the document does not list them. */
function listNames({ all = [] }: ErrorColumn, document: unknown): Names | undefined {
  const names = selectListed(document, ...all)?.map(readText);
  return names && new Set(names);
}

function isError(item: unknown, column: ErrorColumn): boolean {
  if (!isObject(item)) return Boolean(item);
  if (column.words !== undefined) return Boolean(readMember(item, column.words));
  const harmless = [...HARMLESS_LEVELS, ...(column.harmless ?? [])];
  return !harmless.includes(findLevel(item, column));
}

/** Whether the scan failed by an error: of all levels the highest, unless it is about one of the files that were to be read. */
function isFailure(error: unknown, column: ErrorColumn, names: Names | undefined): boolean {
  const { about = '', isOfRules = [] } = column;
  if (column.isFatal === true) return true;
  if (!FATAL_LEVELS.includes(findLevel(error, column))) return false;
  const file = findText(error, about);
  if (file === undefined || isOfRules.some((sign) => hasSign(error, sign))) return true;
  return names?.has(file) === false;
}

function findLevel(error: unknown, { level = '' }: ErrorColumn): string {
  return (readMember(error, level) ?? '').toLowerCase();
}

/** What an error is about, and its words; of a number of errors their name: `parsing errors: 2`. */
function describeError(error: unknown, place: string, { words, about = '' }: ErrorColumn): string {
  const name = takeLastName(place).replaceAll('_', ' ');
  if (!isObject(error))
    return typeof error === 'string' ? (readText(error) ?? '') : `${name}: ${String(error)}`;
  const paths = words === undefined ? WORDS : [words];
  const stated = [findText(error, about), findText(error, ...paths)];
  return stated.filter((text) => text !== undefined).join(': ') || name;
}

/** Whether nothing was to be read but what these errors are about. */
function isEverything(
  errors: readonly unknown[],
  { about = '', isPart = [] }: ErrorColumn,
  names: Names | undefined,
): boolean {
  const whole = errors.filter((error) => !isPart.some((sign) => hasSign(error, sign)));
  const failed: Names = new Set(whole.map((error) => findText(error, about)));
  return names !== undefined && [...names].every((name) => failed.has(name));
}

function takeLastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether a document says how much was read, in numbers or lists, and that this is nothing. */
function hasReadNothing(document: unknown, paths: readonly Path[] = []): boolean {
  const values = paths.flatMap((path) => select(document, path)).filter((value) => value !== null);
  return values.length > 0 && values.every(isNothing);
}
