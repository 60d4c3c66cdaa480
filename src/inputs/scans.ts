import { dirname, isAbsolute, resolve } from 'node:path';
import { InputError } from '../errors.ts';
import { findOutside } from '../files/bounds.ts';
import type { Selection } from '../files/find.ts';
import { findRealPath } from '../files/regular-file.ts';
import type { RegularFile } from '../files/regular-file.ts';
import { parseJson } from '../formats/parse-json.ts';
import type { Fault } from '../formats/parse-json.ts';
import { foldName, isObject } from '../json.ts';
import { cutText, joinWhiteSpace, listSome } from '../text.ts';
import { EMPTY_FIX, getText, mayBeEmpty, readAll } from './fields.ts';
import { parseScanKey } from './scalars.ts';
import { FILE_INPUTS, chooseSelection } from './selection.ts';
import { readTextFile } from './text-file.ts';

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

/** A step could not send more within hours. */
const MAX_ENTRIES = 10_000;
/** Enough for MAX_ENTRIES entries with long paths. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_NAME_CHARACTERS = 100;
/** How many problems of all entries, and unknown properties of one, a message lists. */
const MAX_LISTED = 10;

/** The inputs that are properties of an entry. */
const ENTRY_INPUTS: readonly string[] = ['scan-key', ...FILE_INPUTS];
const NO_SCAN =
  '`scan-key`, `files` and `scans` are empty. Set `scan-key` to the UUID of the scan, and `files` to its files. If you set `scans`, its expression is empty.';
const MEMBERS = ['name', ...ENTRY_INPUTS];

type JsonObject = Readonly<Record<string, unknown>>;

/** The scans of a step: the entries of `scans`, or the one that the other inputs name. Throws an InputError. */
export async function readStepScans(workspace: string): Promise<readonly ScanEntry[]> {
  const text = getText('scans');
  const others = ENTRY_INPUTS.filter((name) => getText(name) !== '').map((name) => `\`${name}\``);
  if (text === '' && others.length === 0) throw new InputError(NO_SCAN, [EMPTY_FIX]);
  if (text === '') return [{ label: undefined, name: undefined, ...(await readScan(getText)) }];
  if (others.length === 0) return readScans(text, workspace);
  throw new InputError(
    `\`scans\` cannot be combined with ${others.join(', ')}. Move them into its entries.`,
  );
}

/** Reads the inputs of one scan; `read` returns the text of one. */
async function readScan(
  read: (input: string) => string,
): Promise<Pick<ScanEntry, 'scanKey' | 'selection'>> {
  return readAll({
    scanKey: () => {
      const text = read('scan-key');
      return text === '' && mayBeEmpty() ? undefined : parseScanKey(text);
    },
    selection: () => chooseSelection(read),
  });
}

/**
 * Reads `scans`: a JSON array, an object with this array as `scans`, or the path of a file with either.
 * Throws an InputError with the problems of all entries.
 */
export async function readScans(text: string, workspace: string): Promise<readonly ScanEntry[]> {
  if (/^[[{"]/.test(text)) return parseScans(text);
  if (/^(?:Array|Object)$/.test(text)) {
    throw new InputError(`\`scans\` is the text ${text}: write \${{ toJSON(...) }}.`);
  }
  if (/^- |[\r\n]/.test(text)) {
    throw new InputError('`scans` is neither JSON nor the path of a file: write a JSON array.');
  }
  const json = await readScansFile(text, workspace);
  return parseScans(json, `\`scans\`: the file '${text}'`);
}

/** Reads the JSON text of `scans`, as readScans does; messages name `source`. */
export async function parseScans(json: string, source = '`scans`'): Promise<readonly ScanEntry[]> {
  const entries = findEntries(parseDocument(json.replace(/^\uFEFF/, ''), source));
  if (entries.length > MAX_ENTRIES) {
    throw new InputError(
      `\`scans\` has ${entries.length} entries, more than ${MAX_ENTRIES}: divide them between steps.`,
    );
  }
  const scans: ScanEntry[] = [];
  const problems: string[] = [];
  const fixes = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const place = `scans[${index}]`;
    try {
      const { name, scan } = await readEntry(entry);
      scans.push({ label: name ?? place, name, ...scan });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const given = isRecord(entry) && typeof entry.name === 'string' ? entry.name : '';
      const name = cutText(joinWhiteSpace(given), MAX_NAME_CHARACTERS);
      const where = name === '' ? place : `${place} (${name})`;
      problems.push(...error.problems.map((problem) => `${where}: ${problem}`));
      for (const fix of error.fixes) fixes.add(fix);
    }
  }
  if (problems.length === 0) return scans;
  const more = problems.length - MAX_LISTED;
  const rest = more > 0 ? [`And ${more.toLocaleString('en')} more in \`scans\`.`] : [];
  throw new InputError([...problems.slice(0, MAX_LISTED), ...rest], [...fixes]);
}

/** Returns the array. The object form exists for `$schema`, which only editors read. */
function findEntries(value: unknown): readonly unknown[] {
  const isWrapped =
    isRecord(value) && Object.keys(value).every((name) => name === '$schema' || name === 'scans');
  const entries = isWrapped ? value.scans : value;
  if (Array.isArray(entries)) return entries;
  if (typeof value === 'string' && /^\s*[[{]/.test(value)) {
    throw new InputError('`scans` is a JSON text inside a text: remove one `toJSON`.');
  }
  if (isRecord(value) && ENTRY_INPUTS.some((name) => name in value)) {
    throw new InputError('`scans` is one object: put it into [ ].');
  }
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
  if (/[*?]/.test(text)) throw new InputError('`scans` is the path of one file, not a pattern.');
  const path = resolve(workspace, text);
  const directory = isAbsolute(text) ? dirname(path) : workspace;
  const check = async (file: RegularFile): Promise<void> => {
    const real = await findRealPath(path, file);
    const outside = await findOutside({ directory }, real, workspace);
    if (outside !== undefined) throw new Error(`outside ${outside}`);
  };
  return readTextFile('scans', text, workspace, MAX_FILE_BYTES, check);
}

/** Throws an InputError without the parser's message, which may quote the content of the file. */
function parseDocument(text: string, source: string): unknown {
  const { value, fault } = parseJson(text);
  if (fault === undefined && countProperties(text) > countProperties(JSON.stringify(value))) {
    throw new InputError(
      `${source} has a property twice in one object, of which JSON keeps the last. Write several patterns as a list: "files": ["a", "b"].`,
    );
  }
  if (fault === undefined) return value;
  const before = text.slice(0, fault.position).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  throw new InputError(`${source} is not valid JSON (${place})${findCause(text, fault)}.`);
}

function countProperties(json: string): number {
  return json.replaceAll(/\\./g, '').match(/"[^"]*"\s*:/g)?.length ?? 0;
}

function findCause(text: string, { kind, position }: Fault): string {
  if (kind === 'several') return ': put its documents into one array (`jq --slurp`)';
  if (text.charAt(position) === '\\') return ": write '/' in place of '\\'";
  const bare = text.replace(/"[^"]*"?/g, '');
  if (bare.includes("'")) return `: write " in place of '`;
  return /,\s*[\]}]/.test(bare) ? ': remove the comma before the bracket' : '';
}

async function readEntry(entry: unknown) {
  if (!isRecord(entry)) throw new InputError('The entry is not a JSON object.');
  const { misspelt, unknown } = findUnknown(entry);
  // All other problems may follow from it.
  if (misspelt.length > 0) throw new InputError([...misspelt, ...unknown]);
  const read = (property: string): string => readProperty(entry, property);
  return readAll({
    name: () => checkName(read('name')),
    others: () => {
      if (unknown.length > 0) throw new InputError(unknown);
    },
    scan: () => readScan(read),
  });
}

function checkName(text: string): string | undefined {
  if (text.length <= MAX_NAME_CHARACTERS && !/[\r\n\v\f\u0085\u2028\u2029]/.test(text)) {
    return text || undefined;
  }
  throw new InputError(`\`name\` must be one line of at most ${MAX_NAME_CHARACTERS} characters.`);
}

/** The problems of properties that are not known: each in another spelling, such as `scanKey`, and all if there are others. */
function findUnknown(entry: JsonObject) {
  const names = Object.keys(entry).filter((name) => !MEMBERS.includes(name));
  const misspelt = names.flatMap((name) => {
    const meant = MEMBERS.find((member) => foldName(member) === foldName(name));
    return meant === undefined ? [] : `Write \`${meant}\` in place of '${name}'.`;
  });
  const quoted = names.map((name) => `'${name}'`);
  const word = names.length === 1 ? 'property' : 'properties';
  const problem = `Unknown ${word} ${listSome(quoted, MAX_LISTED)}. An entry has ${MEMBERS.join(', ')}.`;
  return { misspelt, unknown: names.length === misspelt.length ? [] : [problem] };
}

/** A property's text without surrounding white space, empty if it is null or absent; of `files` also an array. */
function readProperty(entry: JsonObject, name: string): string {
  const value = entry[name] ?? '';
  const lines = name === 'files' && Array.isArray(value) ? value : [value];
  if (lines.every((line): line is string => typeof line === 'string')) {
    const text = lines.join('\n').trim();
    if (name === 'name' || !/[\t\b\f]|\r(?!\n)/.test(text)) return text;
    throw new InputError(
      `\`${name}\` has a control character, as a backslash makes in JSON: write '/' in paths.`,
    );
  }
  const others = name === 'files' ? ', or an array of strings' : '';
  throw new InputError(`\`${name}\` must be a string${others}.`);
}

function isRecord(value: unknown): value is JsonObject {
  return isObject(value) && !Array.isArray(value);
}
