import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StepError } from '../errors.ts';
import { listSome } from '../text.ts';
import { isTurnDue, takeTurn } from '../turns.ts';
import { identify } from './identity.ts';
import { findNearNames } from './near-names.ts';
import { displayPath } from './paths.ts';
import { isRelativePattern, parsePatterns } from './patterns.ts';
import { compileExcludes, searchPattern } from './search.ts';
import type { Scope } from './search.ts';

/** One or more patterns, one per line, and the input that they are from. */
export interface InputPatterns {
  readonly input: string;
  readonly text: string;
  /** The directory of the file that they are from; relative patterns start at the workspace all the same. */
  readonly writtenIn?: string;
}

/** The patterns of a scan: those of `files` alone, or of an input for each part of one operation. */
export type Selection = readonly InputPatterns[];

/** A path that a pattern matched; the file itself was not checked yet. */
export interface FoundFile {
  /** Absolute, with the separators of the system. */
  readonly path: string;
  readonly input: string;
  /** The directory that the pattern names: the part before its first wildcard, or the directory of a literal path. */
  readonly directory: string;
}

export interface FindResult {
  readonly files: readonly FoundFile[];
  readonly unmatched: readonly Unmatched[];
}

interface Unmatched extends InputPatterns {
  readonly searchPath: string;
}

/** How many matched files, or patterns without a match, a message lists. */
const MAX_LISTED = 10;

/**
 * Finds the files of a selection: each file once, in the order of the patterns. Throws a StepError if an
 * input for one file matches several.
 */
export async function findFiles(
  selection: Selection,
  scope: Scope,
  signal?: AbortSignal,
): Promise<FindResult> {
  const unmatched: Unmatched[] = [];
  const found: (readonly FoundFile[])[] = [];
  for (const patterns of selection) {
    const files = await findInput(patterns, scope, unmatched, signal);
    if (patterns.input !== 'files') checkSingle(patterns.input, files, scope);
    found.push(files);
  }
  return { files: found.flat(), unmatched };
}

/** Finds the files of one input, and adds its patterns that match no file to `unmatched`. */
async function findInput(
  patterns: InputPatterns,
  scope: Scope,
  unmatched: Unmatched[],
  signal: AbortSignal | undefined,
): Promise<readonly FoundFile[]> {
  const files = new Map<string, FoundFile>();
  const { input } = patterns;
  const { includes, excludes } = parsePatterns(patterns.text);
  const compiled = await compileExcludes(excludes, scope);
  for (const { text, skippedExcludes } of includes) {
    const later = compiled.slice(skippedExcludes);
    const { paths, searchPath } = await searchPattern(text, later, scope, signal);
    if (paths.length === 0) unmatched.push({ ...patterns, text, searchPath });
    for (const path of paths) {
      if (isTurnDue()) await takeTurn();
      const directory = path === searchPath ? dirname(path) : searchPath;
      if (!files.has(path)) files.set(path, { path, input, directory });
    }
  }
  return dropSpellings([...files.values()]);
}

/**
 * Removes files that are the same as an earlier one in another spelling: Windows and macOS ignore case. A
 * hard link with another name stays: its author named two files. Returns more files than a message lists
 * unchanged, since no input accepts as many.
 */
async function dropSpellings(files: readonly FoundFile[]): Promise<readonly FoundFile[]> {
  if (files.length > MAX_LISTED) return files;
  const different = new Map<string, FoundFile>();
  for (const file of files) {
    const real = await realpath(file.path).catch(() => file.path);
    const key = `${real.normalize().toLowerCase()}:${await identify(file.path)}`;
    if (!different.has(key)) different.set(key, file);
  }
  return [...different.values()];
}

function checkSingle(input: string, files: readonly FoundFile[], { workspace }: Scope): void {
  if (files.length < 2) return;
  const paths = files.slice(0, MAX_LISTED).map(({ path }) => `'${displayPath(path, workspace)}'`);
  const listed = listSome(paths, MAX_LISTED, files.length);
  throw new StepError(
    'several-files',
    `\`${input}\` must match exactly one file, but matches ${files.length}: ${listed}.`,
  );
}

/**
 * The error for a selection with patterns that match no file; it proposes no file in `taken`, which belong
 * to other patterns.
 */
export async function explainUnmatched(
  { files, unmatched }: FindResult,
  scope: Scope,
  taken: ReadonlySet<string>,
): Promise<StepError> {
  const problems: string[] = [];
  const fixes = new Set<string>();
  for (const each of unmatched.slice(0, MAX_LISTED)) {
    const mistake = await findMistake(each, scope);
    if (mistake !== undefined) fixes.add('Correct the path.');
    const hint = mistake ?? (await describeNear(each, scope, taken));
    problems.push(`\`${each.input}\`: no file matches '${each.text}'.${hint}`);
  }
  const more = unmatched.length - problems.length;
  if (more > 0) problems.push(`And ${more} more patterns match no file.`);
  if (files.length > 0) problems.push('Every pattern must match at least one file.');
  return new StepError('no-file', problems.join(' '), [...fixes]);
}

/** Says how a path must be written that starts somewhere else; undefined if that is not known. */
async function findMistake(
  { text, writtenIn, searchPath }: Unmatched,
  { workspace }: Scope,
): Promise<string | undefined> {
  if (await isHostPath(text, workspace)) {
    return ` This is a path on the runner's host. In a container job the workspace is ${workspace}: write the path relative to it.`;
  }
  if (writtenIn === undefined || !isRelativePattern(text)) return undefined;
  const beside = join(writtenIn, text);
  const isBeside = (await findStats(beside))?.isFile() === true;
  if (!isBeside || (await findStats(searchPath)) !== undefined) return undefined;
  return ` Paths in \`scans\` start at the workspace, not at the directory of the file: write '${displayPath(beside, workspace)}'.`;
}

/** A directory that does not exist, and for a literal path similar names. */
async function describeNear(
  { text, searchPath }: Unmatched,
  scope: Scope,
  taken: ReadonlySet<string>,
): Promise<string> {
  if (text.includes('[')) return ' A literal [ is written [[].';
  const isWild = /[*?]/.test(text);
  const directory = isWild ? searchPath : dirname(searchPath);
  const near = isWild ? [] : await findNearNames(searchPath, scope, taken);
  const names = near.map((path) => `'${path}'`).join(', ');
  const missing = ` The directory '${displayPath(directory, scope.workspace)}' does not exist.`;
  const isMissing = (await findStats(directory))?.isDirectory() !== true;
  return `${isMissing ? missing : ''}${names === '' ? '' : ` Did you mean ${names}?`}`;
}

/**
 * In a container job `github.workspace` still expands to the host's path, which does not exist in
 * the container. Both end in the repository's name twice.
 */
async function isHostPath(text: string, workspace: string): Promise<boolean> {
  const [repository, directory] = workspace.split(/[/\\]/).slice(-2);
  const names = text.split(/[/\\]/);
  const at = names.findIndex(
    (name, index) => name === repository && names[index + 1] === directory,
  );
  if (repository !== directory || at < 1 || !/^(?:[a-z]:)?[/\\]/i.test(text)) return false;
  return (await findStats(names.slice(0, at + 2).join('/')))?.isDirectory() !== true;
}

/** Undefined if nothing can be found at the path. */
async function findStats(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}
