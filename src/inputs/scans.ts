import { dirname, isAbsolute, resolve } from 'node:path';
import { InputError } from '../errors.ts';
import { findOutside } from '../files/bounds.ts';
import { findRealPath, openRegularFile } from '../files/regular-file.ts';
import type { RegularFile } from '../files/regular-file.ts';
import { parseJson } from '../formats/parse-json.ts';
import type { InputName } from './declared.ts';
import { FieldReader } from './fields.ts';
import { mapInTurns } from '../turns.ts';
import { parseScanKey } from './scalars.ts';
import { FILE_INPUTS, chooseSelection } from './selection.ts';
import type { Selection } from '../files/find.ts';
import type { FileInput } from './selection.ts';
import { explainTextFile, readTextFile } from './text-file.ts';

/** A scan to upload: its key, and the patterns of its files. */
export interface ScanRequest {
  /** Its name in messages: `name`, or its index in `scans`; undefined for a step without `scans`. */
  readonly label: string | undefined;
  /** The `name` of the entry. */
  readonly name: string | undefined;
  readonly scanKey: string;
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
export const ENTRY_INPUTS: readonly InputName[] = ['scan-key', ...FILE_INPUTS];
const WRAPPER: ReadonlySet<string> = new Set(['$schema', 'scans']);
const MEMBERS: ReadonlySet<string> = new Set(['name', ...ENTRY_INPUTS]);

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads `scans`: a JSON array, an object with this array as `scans`, or the path of a file with either.
 * Throws an InputError if there is no such array; an invalid entry becomes a BadScan.
 */
export async function readScans(text: string, workspace: string): Promise<readonly ScanEntry[]> {
  if (/^[[{]/.test(text)) return parseScans(text);
  const json = await readScansFile(text, workspace);
  return parseScans(json, `\`scans\`: the file '${text}'`);
}

/** Reads the JSON text of `scans`, as readScans does; messages name `source`. */
export async function parseScans(json: string, source = '`scans`'): Promise<readonly ScanEntry[]> {
  const entries = findEntries(parseDocument(json.replace(/^\uFEFF/, ''), source));
  if (entries.length > MAX_ENTRIES) {
    throw new InputError(`\`scans\` has ${entries.length} entries, more than ${MAX_ENTRIES}.`);
  }
  return mapInTurns(entries, readEntry);
}

/** Returns the array. The object form exists for `$schema`, which only editors read. */
function findEntries(value: unknown): readonly unknown[] {
  const isWrapped = isObject(value) && Object.keys(value).every((name) => WRAPPER.has(name));
  const entries = isWrapped ? value.scans : value;
  if (Array.isArray(entries)) return entries;
  throw new InputError(
    '`scans` must be a JSON array with one entry for each scan, or an object with this array as `scans` and no other property than `$schema`.',
  );
}

async function readScansFile(path: string, workspace: string): Promise<string> {
  if (/[\r\n]/.test(path)) {
    throw new InputError('`scans` is neither a JSON array nor the path of a file with one.');
  }
  try {
    return await readTextFile(await openScansFile(path, workspace), MAX_FILE_BYTES);
  } catch (error) {
    throw explainTextFile('scans', path, error);
  }
}

/**
 * Opens a `scans` file. It may lie where a scan file may: in the workspace, or, for an absolute path
 * elsewhere (such as in RUNNER_TEMP), in the directory that it names. Otherwise a link in a pull request
 * could replace the list. Throws an Error.
 */
async function openScansFile(text: string, workspace: string): Promise<RegularFile> {
  const path = resolve(workspace, text);
  const directory = isAbsolute(text) ? dirname(path) : workspace;
  return openRegularFile(path, async (file) => {
    const real = await findRealPath(path, file);
    const outside = await findOutside({ path, directory }, real, workspace);
    if (outside !== undefined) throw new Error(`outside ${outside}`);
  });
}

/** Throws an InputError without the parser's message, which may quote the content of the file. */
function parseDocument(text: string, source: string): unknown {
  const { value, fault } = parseJson(text);
  if (fault === undefined) return value;
  throw new InputError(`${source} is not valid JSON${describePlace(text, fault.position)}.`);
}

function describePlace(text: string, position: number | undefined): string {
  if (position === undefined) return '';
  const lines = text.slice(0, position).split('\n');
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1})`;
}

function readEntry(entry: unknown, index: number): ScanEntry {
  const place = `scans[${index}]`;
  if (!isObject(entry)) {
    return {
      label: place,
      name: undefined,
      selection: [],
      error: new InputError('The entry is not a JSON object.'),
    };
  }
  const fields = new FieldReader();
  const name = readName(entry, fields);
  const naming = { label: name ?? place, name };
  fields.read(() => refuseUnknown(entry));
  const scanKey = fields.read(() => parseScanKey(readText(entry, 'scan-key')));
  let selection: Selection = [];
  fields.read(() => {
    selection = chooseSelection((input) => readPatterns(entry, input));
  });
  try {
    fields.throwProblems();
    return { ...naming, scanKey: scanKey(), selection };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { ...naming, selection, error };
  }
}

/** Returns the name of an entry, undefined without one; adds a problem to `fields` for an invalid one. */
function readName(entry: JsonObject, fields: FieldReader): string | undefined {
  let name: string | undefined;
  fields.read(() => {
    const text = readText(entry, 'name');
    if (text.length > MAX_NAME_CHARACTERS || /[\r\n\v\f\u0085\u2028\u2029]/.test(text)) {
      throw new InputError(
        `\`name\` must be one line of at most ${MAX_NAME_CHARACTERS} characters.`,
      );
    }
    name = text || undefined;
  });
  return name;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuseUnknown(entry: JsonObject): void {
  const unknown = Object.keys(entry).filter((name) => !MEMBERS.has(name));
  if (unknown.length === 0) return;
  const names = unknown.slice(0, MAX_NAMED).map((name) => `'${name}'`);
  if (unknown.length > MAX_NAMED) names.push('...');
  throw new InputError(
    `Unknown ${unknown.length === 1 ? 'property' : 'properties'} ${names.join(', ')}. An entry has ${[...MEMBERS].join(', ')}.`,
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
