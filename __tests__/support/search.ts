// Apart from other helpers, because tests import it after they have mocked modules of Node.

import { findFiles } from '../../src/files/find.ts';
import { explainUnmatched } from '../../src/files/unmatched.ts';
import type { FindResult } from '../../src/files/find.ts';
import { compileGlob } from '../../src/files/glob.ts';
import { parsePatterns } from '../../src/files/patterns.ts';
import { searchGlob } from '../../src/files/search.ts';
import type { Scope } from '../../src/files/search.ts';
import type { Texts } from './inputs.ts';

/** A signal that never fires. */
export const UNSTOPPED = new AbortController().signal;

/** The absolute paths that the first pattern matches; the others are exclusions. */
export async function searchText(
  text: string,
  { workspace, includeHidden }: Scope,
  signal = UNSTOPPED,
): Promise<readonly string[]> {
  const [include, ...exclusions] = parsePatterns(text);
  if (include === undefined || include.isExclusion) return [];
  const glob = await compileGlob(include.text, workspace, includeHidden);
  const compiling = exclusions.map((each) => compileGlob(each.text, workspace, true));
  return searchGlob(glob, await Promise.all(compiling), workspace, signal);
}

/** Finds the files of the patterns of inputs, in their order. */
export async function findTexts(
  texts: Texts,
  scope: Scope,
  signal = UNSTOPPED,
): Promise<FindResult> {
  const selection = Object.entries(texts).map(([input, text]) => {
    return { input, patterns: parsePatterns(text) };
  });
  return findFiles(selection, scope, signal);
}

/** The files of inputs, or the problem and its fixes if none of its patterns matches one. */
interface Selected extends Pick<FindResult, 'files'> {
  readonly problem?: string;
  readonly fixes?: readonly string[];
}

/** The same with a message; throws a StepError if only some of its patterns match one. */
export async function select(texts: Texts, scope: Scope): Promise<Selected> {
  const found = await findTexts(texts, scope);
  if (found.unmatched.length === 0) return { files: found.files };
  const error = await explainUnmatched(found, scope, UNSTOPPED);
  if (found.files.length > 0) throw error;
  return { files: [], problem: error.message, fixes: error.fixes };
}
