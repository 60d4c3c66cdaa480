import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StepError } from '../errors.ts';
import { listSome } from '../text.ts';
import { identify } from './identity.ts';
import { displayPath } from './paths.ts';
import { parsePatterns } from './patterns.ts';
import { compileExcludes, searchPattern } from './search.ts';
import type { Scope } from './search.ts';
import type { WalkPattern } from './walk-pattern.ts';

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

/** A pattern that matched no file. */
export interface Unmatched extends InputPatterns {
  readonly searchPath: string;
  readonly excludes: readonly WalkPattern[];
}

/** How many matched files a message lists. */
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
    if (paths.length === 0) unmatched.push({ ...patterns, text, searchPath, excludes: later });
    for (const path of paths) {
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

const MATCH_ONE =
  'Make the pattern match one file. To upload each file as a scan of its own, use `scans`; for an SBOM and its report, `dependencies-file` and `vulnerabilities-file`.';

function checkSingle(input: string, files: readonly FoundFile[], { workspace }: Scope): void {
  if (files.length < 2) return;
  const paths = files.slice(0, MAX_LISTED).map(({ path }) => `'${displayPath(path, workspace)}'`);
  const listed = listSome(paths, MAX_LISTED, files.length);
  throw new StepError(
    'files',
    `\`${input}\` must match exactly one file, but matches ${files.length}: ${listed}.`,
    MATCH_ONE,
  );
}
