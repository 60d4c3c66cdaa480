import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as endTurn } from 'node:timers/promises';
import { compileGlob } from './glob.ts';
import type { Glob } from './glob.ts';
import type { Pattern } from './patterns.ts';
import { searchGlob } from './search.ts';
import type { Scope } from './search.ts';

/** The patterns of a scan: those of `files` alone, or of an input for each part of one operation. */
export type Selection = readonly {
  readonly input: string;
  readonly patterns: readonly Pattern[];
}[];

/** A path that a pattern matches. Nothing else is known of the file yet. */
export interface FoundFile {
  /** An absolute path with the separators of the system. */
  readonly path: string;
  readonly input: string;
  /** Whether only a wildcard or a directory matches it, so that the author may not know that it matches. */
  readonly isUnnamed?: boolean;
  /** The directory that the pattern names: what stands before its first wildcard, or before the name of a literal path. */
  readonly directory: string;
}

export interface FindResult {
  readonly files: readonly FoundFile[];
  readonly unmatched: readonly Unmatched[];
}

interface CompiledPattern extends Pattern {
  readonly glob: Glob;
}

/** A pattern that matched no file, with the excludes below it. */
export interface Unmatched {
  readonly input: string;
  readonly glob: Glob;
  readonly excludes: readonly Glob[];
}

/**
 * Finds each file of a selection once, in the order of the patterns. If an input for one file matches several, returns
 * only these, because the plan refuses them.
 */
export async function findFiles(
  selection: Selection,
  scope: Scope,
  signal: AbortSignal,
): Promise<FindResult> {
  const results: FindResult[] = [];
  for (const { input, patterns } of selection) {
    const result = await matchPatterns(input, patterns, scope, signal);
    if (input !== 'files' && result.files.length > 1) return { ...result, unmatched: [] };
    results.push(result);
  }
  return {
    files: results.flatMap(({ files }) => files),
    unmatched: results.flatMap(({ unmatched }) => unmatched),
  };
}

/** Finds the files that the patterns of an input match. */
async function matchPatterns(
  input: string,
  patterns: readonly Pattern[],
  scope: Scope,
  signal: AbortSignal,
): Promise<FindResult> {
  /** The files by their real path, because links and other spellings may lead to one. A hard link is another file. */
  const files = new Map<string, FoundFile>();
  const unmatched: Unmatched[] = [];
  const compiled = await compilePatterns(patterns, scope, signal);
  for (const [index, { glob, isExclusion }] of compiled.entries()) {
    if (isExclusion) continue;
    const below = compiled.slice(index + 1);
    const excludes = below.flatMap((each) => (each.isExclusion ? each.glob : []));
    const paths = await searchGlob(glob, excludes, scope.workspace, signal);
    if (paths.length === 0) unmatched.push({ input, glob, excludes });
    for (const path of paths) {
      const real = await realpath(path).catch(() => path);
      const isNamed = path === glob.searchPath;
      const known = files.get(real);
      // A pattern that names the file says more than one whose wildcard matches it too.
      if (known === undefined || (known.isUnnamed && isNamed)) {
        const directory = isNamed ? dirname(path) : glob.searchPath;
        files.set(real, { path, input, directory, isUnnamed: !isNamed });
      }
    }
  }
  return { files: [...files.values()], unmatched };
}

/** Compiles all patterns of an input. Rejects with the signal's reason once it fires. */
async function compilePatterns(
  patterns: readonly Pattern[],
  { workspace, includeHidden }: Scope,
  signal: AbortSignal,
): Promise<readonly CompiledPattern[]> {
  const compiled: CompiledPattern[] = [];
  for (const pattern of patterns) {
    // A file of `scans` may have so many patterns that timers and signals would have to wait for minutes.
    await endTurn();
    signal.throwIfAborted();
    const dot = pattern.isExclusion || includeHidden;
    compiled.push({ ...pattern, glob: await compileGlob(pattern.text, workspace, dot) });
  }
  return compiled;
}
