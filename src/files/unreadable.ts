import { READ_FIX, StepError, errorCode, errorMessage } from '../errors.ts';
import type { Glob } from './glob.ts';

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
): StepError {
  const reasons = failures.map(({ error }) => errorMessage(error)).join('; ');
  const hidden = failureCount - failures.length;
  const more = hidden > 0 ? `; and ${hidden} more` : '';
  const problem = `The pattern '${text}' cannot be searched: ${reasons}${more}.`;
  const isBelow = failures.some(({ path }) => path !== searchPath);
  const advice =
    'If no file is expected there, exclude it in a line below the pattern, such as `!dir/**`.';
  const fixes = failures.map(({ error }) => (errorCode(error) ? READ_FIX : 'Rename it.'));
  return new StepError('files', problem, [...new Set(fixes), ...(isBelow ? [advice] : [])]);
}
