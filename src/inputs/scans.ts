import { InputError } from '../errors.ts';
import type { Selection } from '../files/find.ts';
import { parsePatterns } from '../files/patterns.ts';
import type { Pattern } from '../files/patterns.ts';
import { describeContent } from '../formats/content.ts';
import { inspectBytes } from '../formats/inspect-bytes.ts';
import { isObject, tryJson } from '../json.ts';
import { parseDocuments } from '../json-syntax.ts';
import { OPERATIONS, PARTS } from '../service/operations.ts';
import { formatPlace } from '../text.ts';
import { readInput, readInputFile } from './fields.ts';
import type { Faults, Reading } from './fields.ts';
import { NAME_FIX, VARIABLE_FIX, parseScanKey, refuseEmpty } from './scalars.ts';

/** A scan to upload: its key, and the patterns of its files. */
export interface ScanEntry {
  /** Its name in messages: `name`, or its index in `scans`; undefined for a step without `scans`. */
  readonly label: string | undefined;
  /** The `name` of the entry. */
  readonly name: string | undefined;
  /** A UUID. In a dry run, which needs none, it may be empty. */
  readonly scanKey: string;
  readonly selection: Selection;
}

const MAX_SCANS = 1000;

const FILE_INPUTS: readonly string[] = ['files', ...PARTS.map(({ input }) => input)];
/** The inputs that are properties of an entry. */
const SCAN_INPUTS = ['scan-key', ...FILE_INPUTS];
const PROPERTIES = ['name', ...SCAN_INPUTS];
/** The ways to name files, each with the inputs that have to be set together. */
const WAYS: readonly (readonly string[])[] = [
  ['files'],
  ...OPERATIONS.map(({ parts }) => parts.map(({ input }) => input)),
];

/** The text of an input or property, empty if it is not set. Throws an InputError if it has another type. */
type Read = (name: string) => string;

/**
 * Reads the scans of a step: the entries of `scans`, or the one that the other inputs name. Throws an InputError, or adds
 * to the faults what is wrong with an entry.
 */
export async function readStepScans(reading: Reading): Promise<readonly ScanEntry[]> {
  const text = readInput('scans');
  const others = SCAN_INPUTS.filter((name) => readInput(name) !== '');
  if (text === '') {
    if (others.length > 0) {
      return [{ label: undefined, name: undefined, ...readScan(reading, readInput) }];
    }
    throw refuseEmpty('`scan-key`, `files` and `scans` are empty.', VARIABLE_FIX);
  }
  if (others.length === 0) return readScans(text, reading);
  const list = quote(others, ', ');
  throw new InputError(`\`scans\` cannot be combined with ${list}. Move them into its entries.`);
}

/** Reads `scans`: JSON, or the path of a file with it. */
async function readScans(text: string, reading: Reading): Promise<readonly ScanEntry[]> {
  // A text of several lines, such as YAML, is no path.
  if (/^[[{]|[\r\n]/.test(text)) return parseScans(text, reading, '`scans`');
  if (['Array', 'Object'].includes(text)) {
    throw new InputError(
      `\`scans\` is '${text}', which an expression writes for a list or an object. Write toJSON(...) around it.`,
    );
  }
  const bytes = await readInputFile('scans', text, reading.workspace);
  const source = `\`scans\`: the file '${text}'`;
  const content = inspectBytes(bytes);
  if (content.syntax === undefined && content.kind !== undefined && content.kind !== 'text') {
    throw new InputError(`${source} is ${describeContent(content)}.`);
  }
  // The fixes are about expressions of the workflow, which a file does not have.
  const ofFile = { ...reading, faults: reading.faults.withoutFixes() };
  // The decoder leaves out a byte order mark.
  return parseScans(new TextDecoder().decode(bytes), ofFile, source);
}

/** Reads the scans of a JSON text. Throws an InputError, which names `source`, for a text that is no list of scans. */
function parseScans(json: string, reading: Reading, source: string): readonly ScanEntry[] {
  const value = tryJson(json);
  if (value === undefined) throw new InputError(`${source} is not valid JSON${findPlace(json)}.`);
  // An object has room for `$schema`, which only editors read.
  const entries = isObject(value) && 'scans' in value ? value.scans : value;
  if (!Array.isArray(entries) || entries.length > MAX_SCANS) {
    throw new InputError(
      `\`scans\` must be a JSON array of at most ${MAX_SCANS} entries, one for each scan, or an object with this array as \`scans\`.`,
    );
  }
  return entries.flatMap((entry: unknown, index) =>
    reading.faults.read([], () => [readEntry(entry, index, reading)]),
  );
}

/** Where a text is no JSON. The parser's message may quote it, and it may be the content of a file. */
function findPlace(json: string): string {
  const { error } = parseDocuments(json);
  // Several documents are valid, each by itself.
  if (error === undefined) return '';
  const before = json.slice(0, error.position);
  const isLast = before.trimEnd().endsWith(',') && /[\]}]/.test(json.charAt(error.position));
  return ` (${formatPlace(before)}${isLast ? ': remove the comma before it' : ''})`;
}

/** Reads an entry. Throws an InputError that names it by its index, and its name. */
function readEntry(entry: unknown, index: number, reading: Reading): ScanEntry {
  if (!isObject(entry)) throw new InputError(`scans[${index}]: The entry is not a JSON object.`);
  const properties = new Map<string, unknown>(Object.entries(entry));
  const read: Read = (property) => readProperty(property, properties.get(property));
  const name = reading.faults.at(`scans[${index}]: `).read('', () => parseName(read('name')));
  const place = name === '' ? `scans[${index}]: ` : `scans[${index}] (${name}): `;
  const unknown = [...properties.keys()].find((property) => !PROPERTIES.includes(property));
  if (unknown !== undefined) {
    const list = PROPERTIES.join(', ');
    throw new InputError(`${place}Unknown property '${unknown}'; an entry has ${list}.`);
  }
  const scan = readScan({ ...reading, faults: reading.faults.at(place) }, read);
  return { label: name || `scans[${index}]`, name: name || undefined, ...scan };
}

function parseName(text: string): string {
  if (/^[^\n\r\v\f\u0085\u2028\u2029]{0,100}$/u.test(text)) return text;
  throw new InputError('`name` must be one line of at most 100 characters.');
}

/** Reads a property without white space around it, empty if it is null or absent. `files` may also be an array. */
function readProperty(property: string, value: unknown): string {
  const isList = property === 'files' && Array.isArray(value);
  const lines: readonly unknown[] = isList ? value : [value ?? ''];
  if (lines.every((line) => typeof line === 'string')) return lines.join('\n').trim();
  const orList = property === 'files' ? ' or an array of strings' : '';
  throw new InputError(`\`${property}\` must be a string${orList}.`);
}

/** Reads what the inputs of one scan say. */
function readScan({ faults, dryRun }: Reading, read: Read) {
  const scanKey = faults.read('', () => {
    const text = read('scan-key');
    return text === '' && dryRun ? '' : parseScanKey(text);
  });
  return { scanKey, selection: faults.read([], () => readSelection(faults, read)) };
}

/** Reads the patterns of a scan. Throws an InputError unless exactly one way is used. */
function readSelection(faults: Faults, read: Read): Selection {
  const named = FILE_INPUTS.filter((input) => read(input) !== '');
  checkWay(named);
  return named.map((input) => {
    return { input, patterns: faults.read([], () => readPatterns(input, read(input))) };
  });
}

const PAIR_FIX = 'Set it, or check the names in its expression. For one file alone, set `files`.';

/** Throws an InputError unless these are all inputs of one way. */
function checkWay(named: readonly string[]): void {
  const ways = WAYS.map((way) => quote(way, ' with ')).join(', or ');
  if (named.length === 0) throw refuseEmpty(`No files are named: set ${ways}.`, NAME_FIX);
  const possible = WAYS.filter((way) => named.every((input) => way.includes(input)));
  const [way] = possible.toSorted((one, other) => one.length - other.length);
  if (way === undefined) {
    const list = quote(named, ' and ');
    throw new InputError(`Files are named by ${list}: set exactly one of ${ways}.`);
  }
  const empty = way.filter((input) => !named.includes(input));
  if (empty.length === 0) return;
  const fault = `${quote(empty, ' and ')} is empty, but ${quote(named, ' with ')} needs it.`;
  throw refuseEmpty(fault, PAIR_FIX);
}

/** Reads the patterns of an input. Throws an InputError if none includes files, or if an exclusion has no effect. */
function readPatterns(input: string, text: string): readonly Pattern[] {
  const patterns = parsePatterns(text);
  const [first] = patterns;
  if (patterns.every(({ isExclusion }) => isExclusion)) {
    throw new InputError(
      `\`${input}\` has only excludes (!) or comments (#): name the files to upload.`,
    );
  }
  if (!first?.isExclusion) return patterns;
  throw new InputError(
    `\`${input}\`: '!${first.text}' is above every pattern, so it excludes nothing. Write it last.`,
  );
}

function quote(inputs: readonly string[], separator: string): string {
  return inputs.map((input) => `\`${input}\``).join(separator);
}
