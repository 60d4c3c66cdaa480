import { dirname, isAbsolute, resolve } from 'node:path';
import { InputError } from '../errors.ts';
import { findOutside } from '../files/bounds.ts';
import type { Selection } from '../files/find.ts';
import { findRealPath } from '../files/regular-file.ts';
import type { RegularFile } from '../files/regular-file.ts';
import { parseJson } from '../formats/parse-json.ts';
import { isObject } from '../json.ts';
import { listSome } from '../text.ts';
import { getText, mayBeEmpty, readAll, tryReadAll } from './fields.ts';
import { parseScanKey } from './scalars.ts';
import { FILE_INPUTS, chooseSelection } from './selection.ts';
import type { FileInput } from './selection.ts';
import { readTextFile } from './text-file.ts';

/** A scan to upload: its key, and the patterns of its files. */
export interface ScanRequest {
  /** Its name in messages: `name`, or its index in `scans`; undefined for a step without `scans`. */
  readonly label: string | undefined;
  /** The `name` of the entry. */
  readonly name: string | undefined;
  /** Undefined only in a dry run. */
  readonly scanKey: string | undefined;
  readonly selection: Selection;
}

/** An entry of `scans` that cannot be used, and why; `selection` is empty if it is invalid itself. */
interface BadScan extends Pick<ScanRequest, 'label' | 'name' | 'selection'> {
  readonly error: InputError;
}

export type ScanEntry = ScanRequest | BadScan;

/** A step could not send more within hours. */
const MAX_ENTRIES = 10_000;
/** Enough for MAX_ENTRIES entries with long paths. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_NAME_CHARACTERS = 100;
/** How many unknown properties a message names. */
const MAX_NAMED = 10;

/** The inputs that are properties of an entry. */
const ENTRY_INPUTS: readonly string[] = ['scan-key', ...FILE_INPUTS];
const WRAPPER = new Set(['$schema', 'scans']);
const MEMBERS = new Set(['name', ...ENTRY_INPUTS]);

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The scans of a step: the entries of `scans`, or the one that the other inputs name. An invalid entry
 * becomes a BadScan. Throws an InputError.
 */
export async function readStepScans(workspace: string): Promise<readonly ScanEntry[]> {
  const text = getText('scans');
  if (text === '') return [await readSingle()];
  const others = ENTRY_INPUTS.filter((name) => getText(name) !== '');
  if (others.length === 0) return readScans(text, workspace);
  throw new InputError(
    `\`scans\` cannot be combined with ${others.map((name) => `\`${name}\``).join(', ')}. Move them into its entries.`,
  );
}

async function readSingle(): Promise<ScanRequest> {
  const readers = {
    scanKey: () => readScanKey(getText('scan-key')),
    selection: () => chooseSelection(getText),
  };
  return { label: undefined, name: undefined, ...(await readAll(readers, undefined)) };
}

function readScanKey(text: string): string | undefined {
  return text === '' && mayBeEmpty() ? undefined : parseScanKey(text);
}

/** The problems of the invalid entries, which are reported with those of other inputs if there are any. */
export function listEntryProblems(scans: readonly ScanEntry[]): readonly string[] {
  return scans.flatMap((entry) =>
    'error' in entry ? entry.error.problems.map((text) => `${entry.label}: ${text}`) : [],
  );
}

/**
 * Reads `scans`: a JSON array, an object with this array as `scans`, or the path of a file with either.
 * Throws an InputError if there is no such array; an invalid entry becomes a BadScan.
 */
export async function readScans(text: string, workspace: string): Promise<readonly ScanEntry[]> {
  if (/^[[{]/.test(text)) return parseScans(text);
  const json = await readScansFile(text, workspace);
  const entries = await parseScans(json, `\`scans\`: the file '${text}'`);
  const writtenIn = dirname(resolve(workspace, text));
  return entries.map((entry) => {
    return { ...entry, selection: entry.selection.map((each) => ({ ...each, writtenIn })) };
  });
}

/** Reads the JSON text of `scans`, as readScans does; messages name `source`. */
export async function parseScans(json: string, source = '`scans`'): Promise<readonly ScanEntry[]> {
  const entries = findEntries(parseDocument(json.replace(/^\uFEFF/, ''), source));
  if (entries.length > MAX_ENTRIES) {
    throw new InputError(`\`scans\` has ${entries.length} entries, more than ${MAX_ENTRIES}.`);
  }
  return Promise.all(entries.map(readEntry));
}

/** Returns the array. The object form exists for `$schema`, which only editors read. */
function findEntries(value: unknown): readonly unknown[] {
  const isWrapped = isRecord(value) && Object.keys(value).every((name) => WRAPPER.has(name));
  const entries = isWrapped ? value.scans : value;
  if (Array.isArray(entries)) return entries;
  throw new InputError(
    '`scans` must be a JSON array with one entry for each scan, or an object with this array as `scans` and no other property than `$schema`.',
  );
}

/**
 * Reads a `scans` file. It may lie where a scan file may: in the workspace, or, for an absolute path
 * elsewhere (such as in RUNNER_TEMP), in the directory that it names. Otherwise a link in a pull request
 * could replace the list.
 */
async function readScansFile(text: string, workspace: string): Promise<string> {
  if (/[\r\n]/.test(text)) {
    throw new InputError('`scans` is neither a JSON array nor the path of a file with one.');
  }
  const path = resolve(workspace, text);
  const directory = isAbsolute(text) ? dirname(path) : workspace;
  const check = async (file: RegularFile): Promise<void> => {
    const real = await findRealPath(path, file);
    const outside = await findOutside({ path, directory }, real, workspace);
    if (outside !== undefined) throw new Error(`outside ${outside}`);
  };
  return readTextFile('scans', text, workspace, MAX_FILE_BYTES, check);
}

/** Throws an InputError without the parser's message, which may quote the content of the file. */
function parseDocument(text: string, source: string): unknown {
  const { value, fault } = parseJson(text);
  if (fault === undefined) return value;
  const before = text.slice(0, fault.position).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  const where = fault.position === undefined ? '' : ` (${place})`;
  throw new InputError(`${source} is not valid JSON${where}.`);
}

async function readEntry(entry: unknown, index: number): Promise<ScanEntry> {
  const place = `scans[${index}]`;
  if (!isRecord(entry)) {
    const error = new InputError('The entry is not a JSON object.');
    return { label: place, name: undefined, selection: [], error };
  }
  const { values, error } = await tryReadAll(ENTRY_READERS, entry);
  const { name, selection = [] } = values;
  const label = name ?? place;
  if (error !== undefined) return { label, name, selection, error };
  return { label, name, scanKey: values.scanKey, selection };
}

const ENTRY_READERS = {
  name: readName,
  others: refuseUnknown,
  scanKey: (entry: JsonObject) => readScanKey(readText(entry, 'scan-key')),
  selection: (entry: JsonObject) => chooseSelection((input) => readPatterns(entry, input)),
};

function readName(entry: JsonObject): string | undefined {
  const text = readText(entry, 'name');
  if (text.length <= MAX_NAME_CHARACTERS && !/[\r\n\v\f\u0085\u2028\u2029]/.test(text)) {
    return text || undefined;
  }
  throw new InputError(`\`name\` must be one line of at most ${MAX_NAME_CHARACTERS} characters.`);
}

function isRecord(value: unknown): value is JsonObject {
  return isObject(value) && !Array.isArray(value);
}

function refuseUnknown(entry: JsonObject): void {
  const unknown = Object.keys(entry).filter((name) => !MEMBERS.has(name));
  if (unknown.length === 0) return;
  const names = unknown.map((name) => `'${name}'`);
  throw new InputError(
    `Unknown ${unknown.length === 1 ? 'property' : 'properties'} ${listSome(names, MAX_NAMED)}. An entry has ${[...MEMBERS].join(', ')}.`,
  );
}

/** Reads the patterns of an input; those of `files` may also be an array. */
function readPatterns(entry: JsonObject, input: FileInput): string {
  const { files } = entry;
  if (input !== 'files' || !Array.isArray(files)) return readText(entry, input);
  const isList = files.every((pattern): pattern is string => typeof pattern === 'string');
  if (isList) return files.join('\n').trim();
  throw new InputError('`files` must be a string, or an array of strings.');
}

/** A property's text without surrounding white space; empty if it is null or absent. */
function readText(entry: JsonObject, name: string): string {
  const value = entry[name] ?? '';
  if (typeof value === 'string') return value.trim();
  throw new InputError(`\`${name}\` must be a string.`);
}
