import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { compileGlob } from './glob.ts';
import type { Glob } from './glob.ts';
import { parsePatterns } from './patterns.ts';
import { searchGlob } from './search.ts';
import type { Scope } from './search.ts';

/** The patterns of a scan, one per line: those of `files` alone, or of an input for each part of one operation. */
export type Selection = readonly { readonly input: string; readonly text: string }[];

/** A path that a pattern matched; the file itself was not checked yet. */
export interface FoundFile {
  /** Absolute, with the separators of the system. */
  readonly path: string;
  readonly input: string;
  /** Whether only a wildcard or a directory matches it, so that the author may not know that it matches. */
  readonly isUnnamed?: true;
  /** The directory that the pattern names: the part before its first wildcard, or the directory of a literal path. */
  readonly directory: string;
}

export interface FindResult {
  readonly files: readonly FoundFile[];
  readonly unmatched: readonly Unmatched[];
}

/** A pattern that matched no file, with the excludes below it. */
export interface Unmatched {
  readonly input: string;
  readonly glob: Glob;
  readonly excludes: readonly Glob[];
}

/**
 * Finds the files of a selection: each file once, in the order of the patterns. If an input for one file matches
 * several, returns only these, which are refused after inspection. Adds the paths that it finds to `taken`.
 */
export async function findFiles(
  selection: Selection,
  scope: Scope,
  taken: Set<string>,
  signal: AbortSignal,
): Promise<FindResult> {
  const { workspace, includeHidden } = scope;
  const result = { files: [] as FoundFile[], unmatched: [] as Unmatched[] };
  for (const { input, text } of selection) {
    /** By real path: links and, on Windows and macOS, other spellings may lead to one file. */
    const files = new Map<string, FoundFile>();
    for (const include of parsePatterns(text)) {
      const glob = await compileGlob(include.text, workspace, includeHidden);
      const compiling = include.excludes.map((line) => compileGlob(line, workspace, true));
      const excludes = await Promise.all(compiling);
      const paths = await searchGlob(glob, excludes, workspace, signal);
      if (paths.length === 0) result.unmatched.push({ input, glob, excludes });
      for (const path of paths) {
        const isNamed = path === glob.searchPath;
        // A hard link is another file: its author named two.
        const real = await realpath(path).catch(() => path);
        const known = files.get(real);
        // A name says more than a wildcard that matches the file too.
        if (known === undefined || (isNamed && known.isUnnamed)) {
          const directory = isNamed ? dirname(path) : glob.searchPath;
          files.set(real, { path, input, directory, ...(!isNamed && { isUnnamed: true }) });
        }
        taken.add(path);
      }
    }
    const found = [...files.values()];
    if (input !== 'files' && found.length > 1) return { files: found, unmatched: [] };
    result.files.push(...found);
  }
  return result;
}
