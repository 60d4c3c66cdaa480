import { realpathSync, statSync } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { InputError, errorCode, errorMessage } from '../errors.ts';
import { isInside } from '../files/paths.ts';
import { parseJson } from '../formats/parse-json.ts';
import type { InputName } from './declared.ts';
import { FieldReader } from './fields.ts';
import { parseScanKey } from './scalars.ts';
import { FILE_INPUTS, chooseSelection } from './selection.ts';
import type { FileInput, Selection } from './selection.ts';
import { readTextFile } from './text-file.ts';

/** A scan to upload: its key, and what its files are. */
export interface ScanRequest {
  /** What messages call it: its name, or its place in `scans`; the only scan of a step has none. */
  readonly label: string | undefined;
  /** As the author named it. */
  readonly name: string | undefined;
  readonly scanKey: string;
  readonly selection: Selection;
}

/** An entry of `scans` that cannot be used, and why. */
interface BadScan extends Pick<ScanRequest, 'label' | 'name'> {
  readonly error: InputError;
}

export type ScanEntry = ScanRequest | BadScan;

/** More than a step can send within hours. */
const MAX_ENTRIES = 10_000;
/** Of as many entries with long paths. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_NAME_CHARACTERS = 100;
/** How many unknown members a message names. */
const MAX_NAMED = 10;

/** The inputs that an entry says for itself. */
export const ENTRY_INPUTS: readonly InputName[] = ['scan-key', ...FILE_INPUTS];
const WRAPPER: ReadonlySet<string> = new Set(['$schema', 'scans']);
const MEMBERS: ReadonlySet<string> = new Set(['name', ...ENTRY_INPUTS]);

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads `scans`: a JSON array, an object that has it as `scans`, or the path of a file with either.
 * Throws an InputError if there is no such array; an invalid entry has its error in its place.
 */
export function readScans(text: string, workspace: string): readonly ScanEntry[] {
  const isInline = /^[[{]/.test(text);
  const json = isInline ? text : readScansFile(text, workspace);
  const entries = findEntries(parseScans(json.replace(/^\uFEFF/, '')));
  if (entries.length > MAX_ENTRIES) {
    throw new InputError(`\`scans\` has ${entries.length} entries, more than ${MAX_ENTRIES}.`);
  }
  return entries.map(readEntry);
}

/** The object form leaves room for `$schema`, which only editors read. */
function findEntries(value: unknown): readonly unknown[] {
  const isWrapped = isObject(value) && Object.keys(value).every((name) => WRAPPER.has(name));
  const entries = isWrapped ? value.scans : value;
  if (Array.isArray(entries)) return entries;
  throw new InputError(
    '`scans` must be a JSON array with one entry for each scan, or an object with this array as `scans` and no other property than `$schema`.',
  );
}

function readScansFile(path: string, workspace: string): string {
  if (/[\r\n]/.test(path)) {
    throw new InputError('`scans` is neither a JSON array nor the path of a file with one.');
  }
  try {
    return readTextFile(locateScansFile(path, workspace), MAX_FILE_BYTES);
  } catch (error) {
    const reason = errorCode(error) ?? errorMessage(error);
    throw new InputError(`\`scans\`: the file '${path}' cannot be read (${reason}).`);
  }
}

/**
 * The real path of a `scans` file. The rule is that of scan files: one in the workspace really lies
 * there; one that an absolute path names elsewhere (in RUNNER_TEMP, say) lies in the directory named.
 * What a pull request's link leads to would be taken for the author's word.
 */
function locateScansFile(path: string, workspace: string): string {
  const absolute = resolve(workspace, path);
  const directory = dirname(absolute);
  const home = realpathSync.native(workspace);
  const isElsewhere = isAbsolute(path) && !leadsInto(directory, home);
  const root = isElsewhere ? realpathSync.native(directory) : home;
  const real = realpathSync.native(absolute);
  if (isInside(real, root)) return real;
  throw new Error(`outside ${isElsewhere ? `'${root}'` : 'the workspace'}`);
}

/** Whether a directory, or one above it, really is the workspace or lies in it. */
function leadsInto(directory: string, home: string): boolean {
  if (isBelow(realpathSync.native(directory), statSync(home, { bigint: true }))) return true;
  const above = dirname(directory);
  return above !== directory && leadsInto(above, home);
}

/** Whether a real path is a directory or in it, by device and inode (see `files/bounds`). */
function isBelow(real: string, directory: BigIntStats): boolean {
  const { dev, ino } = statSync(real, { bigint: true });
  if (dev === directory.dev && ino === directory.ino) return true;
  const above = dirname(real);
  return above !== real && isBelow(above, directory);
}

/** The parser's own message may show what is in a file. */
function parseScans(text: string): unknown {
  const { value, fault } = parseJson(text);
  if (fault === undefined) return value;
  throw new InputError(`\`scans\` is not valid JSON${describePlace(text, fault.position)}.`);
}

function describePlace(text: string, position: number | undefined): string {
  if (position === undefined) return '';
  const lines = text.slice(0, position).split('\n');
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1})`;
}

function readEntry(entry: unknown, index: number): ScanEntry {
  const place = `scans[${index}]`;
  if (!isObject(entry)) {
    return { label: place, name: undefined, error: new InputError('This is not a JSON object.') };
  }
  const fields = new FieldReader();
  const name = readName(entry, fields);
  const naming = { label: name ?? place, name };
  fields.read(() => refuseUnknown(entry));
  const scanKey = fields.read(() => parseScanKey(readText(entry, 'scan-key')));
  const selection = fields.read(() => chooseSelection((input) => readPatterns(entry, input)));
  try {
    fields.throwProblems();
    return { ...naming, scanKey: scanKey(), selection: selection() };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { ...naming, error };
  }
}

/** What the entry is called; a name that cannot be used is a problem like any other. */
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

/** The patterns of `files` may also stand in an array. */
function readPatterns(entry: JsonObject, input: FileInput): string {
  const { files } = entry;
  if (input !== 'files' || !Array.isArray(files)) return readText(entry, input);
  const isList = files.every((pattern): pattern is string => typeof pattern === 'string');
  if (isList) return files.join('\n').trim();
  throw new InputError('`files` must be a string, or an array of strings.');
}

/** A member's text without surrounding white space; empty and null are as good as absent. */
function readText(entry: JsonObject, name: string): string {
  const value = entry[name] ?? '';
  if (typeof value === 'string') return value.trim();
  throw new InputError(`\`${name}\` must be a string.`);
}
