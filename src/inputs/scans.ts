import { InputError } from '../errors.ts';
import type { Selection } from '../files/find.ts';
import { parseDocuments } from '../formats/parse-json.ts';
import { isObject, tryJson } from '../json.ts';
import { Problems, getText } from './fields.ts';
import type { Reading } from './fields.ts';
import { OUTPUT_FIX, VARIABLE_FIX } from './mistakes.ts';
import { parseScanKey } from './scalars.ts';
import { FILE_INPUTS, chooseSelection } from './selection.ts';
import { readInputFile } from './text-file.ts';

/** A scan to upload: its key, and the patterns of its files. */
export interface ScanEntry {
  /** Its name in messages: `name`, or its index in `scans`; undefined for a step without `scans`. */
  readonly label: string | undefined;
  /** The `name` of the entry. */
  readonly name: string | undefined;
  /** Undefined only in a dry run. */
  readonly scanKey: string | undefined;
  readonly selection: Selection;
}

const MAX_ENTRIES = 1000;
/** Enough for MAX_ENTRIES entries with long paths. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** The inputs that are properties of an entry. */
const ENTRY_INPUTS: readonly string[] = ['scan-key', ...FILE_INPUTS];
const PROPERTIES = ['name', ...ENTRY_INPUTS];
const NO_SCAN =
  '`scan-key`, `files` and `scans` are empty. Set `scan-key` to the UUID of the scan, and `files` to its files, or set `scans`.';

/** The scans of a step: the entries of `scans`, or the one that the other inputs name. */
export async function readStepScans(reading: Reading): Promise<readonly ScanEntry[]> {
  const { problems, workspace, dryRun } = reading;
  const text = getText('scans');
  const others = ENTRY_INPUTS.filter((name) => getText(name) !== '');
  if (text === '' && others.length === 0) {
    return problems.add(new InputError(NO_SCAN, [VARIABLE_FIX, OUTPUT_FIX]), []);
  }
  if (text === '') {
    return [{ label: undefined, name: undefined, ...readScan(problems, dryRun, getText) }];
  }
  if (others.length === 0) {
    return readScans(text, workspace, dryRun).catch((error: unknown) => problems.add(error, []));
  }
  const list = others.map((name) => `\`${name}\``).join(', ');
  const problem = `\`scans\` cannot be combined with ${list}. Move them into its entries.`;
  return problems.add(new InputError(problem), []);
}

/** Reads the inputs of one scan; `read` returns the text of one. */
function readScan(problems: Problems, dryRun: boolean, read: (input: string) => string) {
  const scanKey = problems.read(undefined, () => {
    const text = read('scan-key');
    return text === '' && dryRun ? undefined : parseScanKey(text);
  });
  return { scanKey, selection: problems.read([], () => chooseSelection(read)) };
}

/** Reads `scans`: JSON, or the path of a file with it. Throws an InputError with the problems of all entries. */
async function readScans(
  text: string,
  workspace: string,
  dryRun: boolean,
): Promise<readonly ScanEntry[]> {
  // Several lines, such as YAML, are no path either.
  if (/^[[{]|[\r\n]/.test(text)) return parseScans(text, dryRun);
  const bytes = await readInputFile('scans', text, workspace, MAX_FILE_BYTES);
  try {
    return parseScans(bytes.toString(), dryRun, `\`scans\`: the file '${text}'`);
  } catch (error) {
    // A file has no expressions, so that what to do about empty ones does not help.
    throw error instanceof InputError ? new InputError(error.problems) : error;
  }
}

/**
 * The scans of a JSON text, an array or an object with this array as `scans`; messages name `source`. Throws an
 * InputError with the problems of all entries.
 */
export function parseScans(
  json: string,
  dryRun: boolean,
  source = '`scans`',
): readonly ScanEntry[] {
  const value = parseDocument(json.replace(/^\uFEFF/, ''), source);
  // The object exists for `$schema`, which only editors read.
  const entries = isObject(value) && 'scans' in value ? value.scans : value;
  if (!Array.isArray(entries) || entries.length > MAX_ENTRIES) {
    throw new InputError(
      `\`scans\` must be a JSON array of at most ${MAX_ENTRIES} entries, one for each scan, or an object with this array as \`scans\`.`,
    );
  }
  const problems = new Problems();
  const scans = entries.flatMap((entry: unknown, index) =>
    problems.read([], () => [readEntry(entry, index, dryRun)]),
  );
  problems.throwAny();
  return scans;
}

/** Throws an InputError without the parser's message, which may quote the content of the file. */
function parseDocument(text: string, source: string): unknown {
  const value = tryJson(text);
  if (value !== undefined) return value;
  const { fault } = parseDocuments(text);
  if (fault === undefined) {
    const fix = 'put its documents into one array (`jq --slurp`)';
    throw new InputError(`${source} is not valid JSON: ${fix}.`);
  }
  const before = text.slice(0, fault.position).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  throw new InputError(`${source} is not valid JSON (${place}).`);
}

/** Reads an entry. Throws an InputError that names it by its index, and its name. */
function readEntry(entry: unknown, index: number, dryRun: boolean): ScanEntry {
  if (!isObject(entry)) throw new InputError(`scans[${index}]: The entry is not a JSON object.`);
  const problems = new Problems();
  const properties = new Map<string, unknown>(Object.entries(entry));
  const read = (property: string): string => readText(property, properties.get(property));
  const name = problems.read('', () => parseName(read('name')));
  const place = name === '' ? `scans[${index}]: ` : `scans[${index}] (${name}): `;
  const unknown = [...properties.keys()].find((property) => !PROPERTIES.includes(property));
  if (unknown !== undefined) {
    const list = PROPERTIES.join(', ');
    throw new InputError(`${place}Unknown property '${unknown}'; an entry has ${list}.`);
  }
  const scan = readScan(problems, dryRun, read);
  problems.throwAny(place);
  return { label: name || `scans[${index}]`, name: name || undefined, ...scan };
}

function parseName(text: string): string {
  if (/^[^\n\r\v\f\u0085\u2028\u2029]{0,100}$/u.test(text)) return text;
  throw new InputError('`name` must be one line of at most 100 characters.');
}

/** A property's text without surrounding white space, empty if it is null or absent; of `files` also an array. */
function readText(property: string, value: unknown): string {
  const isList = property === 'files' && Array.isArray(value);
  const lines: readonly unknown[] = isList ? value : [value ?? ''];
  if (lines.every((line) => typeof line === 'string')) return lines.join('\n').trim();
  const orList = property === 'files' ? ' or an array of strings' : '';
  throw new InputError(`\`${property}\` must be a string${orList}.`);
}
