import { parsePatterns } from '../../src/files/patterns.ts';
import { compileExcludes, searchPattern } from '../../src/files/search.ts';
import type { Scope } from '../../src/files/search.ts';

/** A line that includes files, with the excludes below it. */
export interface Include {
  readonly text: string;
  readonly excludes: readonly string[];
}

export function listIncludes(lines: string): readonly Include[] {
  const { includes, excludes } = parsePatterns(lines);
  return includes.map(({ text, skippedExcludes }) => ({
    text,
    excludes: excludes.slice(skippedExcludes),
  }));
}

/** The absolute paths that an include matches. */
export async function searchInclude(
  { text, excludes }: Include,
  scope: Scope,
): Promise<readonly string[]> {
  return (await searchPattern(text, await compileExcludes(excludes, scope), scope)).paths;
}
