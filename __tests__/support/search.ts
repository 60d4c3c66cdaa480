import { findFiles } from '../../src/files/find.ts';
import { explainUnmatched } from '../../src/files/unmatched.ts';
import type { FindResult, Selection } from '../../src/files/find.ts';
import { compileGlob } from '../../src/files/glob.ts';
import type { Include } from '../../src/files/patterns.ts';
import { searchGlob } from '../../src/files/search.ts';
import type { Scope } from '../../src/files/search.ts';

/** A signal that never fires. */
export const UNSTOPPED = new AbortController().signal;

/** The absolute paths that an include matches. */
export async function searchInclude(
  { text, excludes }: Include,
  { workspace, includeHidden }: Scope,
  signal = UNSTOPPED,
): Promise<readonly string[]> {
  const include = await compileGlob(text, workspace, includeHidden);
  const others = await Promise.all(excludes.map((each) => compileGlob(each, workspace, true)));
  return searchGlob(include, others, workspace, signal);
}

/** The files of a selection, or the problem and its fixes if none of its patterns matches one. */
interface Selected extends Pick<FindResult, 'files'> {
  readonly problem?: string;
  readonly fixes?: readonly string[];
}

/** Finds the files of a selection; throws a StepError if only some of its patterns match one. */
export async function select(selection: Selection, scope: Scope): Promise<Selected> {
  const found = await findFiles(selection, scope, UNSTOPPED);
  if (found.unmatched.length === 0) return { files: found.files };
  const taken = new Set(found.files.map(({ path }) => path));
  const error = await explainUnmatched(found, { ...scope, taken, limit: UNSTOPPED });
  if (found.files.length > 0) throw error;
  return { files: [], problem: error.message, fixes: error.fixes };
}
