import { READ_FIX, StepError, errorCode, errorMessage } from '../errors.ts';
import type { Glob } from './glob.ts';
import { IS_WINDOWS, displayPath } from './paths.ts';
import { escapeGlob } from './patterns.ts';

/** Paths that cannot be read: the first of them, and how many there are. */
interface Unreadable {
  readonly failures: readonly { readonly path: string; readonly error: unknown }[];
  readonly failureCount: number;
}

/**
 * The error for paths that cannot be read. They may be, or contain, the file that is meant: a file that was
 * found elsewhere may be an old copy of it, or only one of two files. So the pattern fails even if it
 * matched a file, unless the path is excluded.
 */
export function explainUnreadable(
  { failures, failureCount }: Unreadable,
  { text, searchPath }: Glob,
  workspace: string,
): StepError {
  const reasons = failures.map(({ error }) => errorMessage(error)).join('; ');
  const hidden = failureCount - failures.length;
  const more = hidden > 0 ? `; and ${hidden} more` : '';
  const problem = `The pattern '${text}' cannot be searched: ${reasons}${more}.`;
  const below = failures.filter(({ path }) => path !== searchPath);
  const excludes = below.map(({ path }) => `'!${writePattern(path, workspace)}'`).join(', ');
  const advice = `If no file is expected there, exclude it in a line below the pattern: ${excludes}.`;
  const fixes = failures.map(({ error }) => (errorCode(error) ? READ_FIX : 'Rename it.'));
  return new StepError('files', excludes === '' ? problem : [problem, advice], [...new Set(fixes)]);
}

/**
 * The pattern that matches only this path, as the rest of a line after `!`. For a character that messages
 * do not show, or that ends a line, it has any but the visible ones of ASCII.
 */
function writePattern(path: string, workspace: string): string {
  const shown = displayPath(path, workspace);
  return escapeGlob(IS_WINDOWS ? shown.replaceAll('\\', '/') : shown)
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu, (hidden) =>
      '[! -~]'.repeat(hidden.length),
    )
    .replace(/^[!~]/, './$&')
    .replace(/^\s|\s$/g, '[$&]');
}
