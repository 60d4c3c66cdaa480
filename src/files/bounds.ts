import { realpath } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { FileError } from '../errors.ts';
import type { FoundFile } from './find.ts';
import { isInside } from './paths.ts';
import type { Scope } from './search.ts';

/**
 * Throws a FileError if a pattern may not match a file. A pattern inside the workspace, relative or
 * absolute, matches files whose real path is in the workspace. An absolute pattern elsewhere matches files
 * whose real path is below the directory it names; if it leads through the workspace, both rules apply. A
 * link to a hidden name is refused unless the pattern names it or `include-hidden-files` is `true`. `real`
 * is the file's real path.
 */
export async function checkBounds(
  { path, directory }: FoundFile,
  real: string,
  { workspace, includeHidden }: Scope,
): Promise<void> {
  const home = await realpath(workspace);
  const isPatternInside = await leadsInto(directory, home);
  const isPathInside = isPatternInside || (await leadsInto(dirname(path), home));
  const roots = isPathInside ? [home] : [];
  if (!isPatternInside) roots.push(await realpath(directory));
  const left = roots.find((root) => !isInside(real, root));
  if (left !== undefined) {
    throw new FileError(
      `'${path}' leads to '${real}', outside ${left === home ? 'the workspace' : `'${left}'`}, and is not uploaded. Name the file itself, or copy it into the workspace.`,
    );
  }
  const named = [...path.split(sep), ...home.split(sep)];
  const isHidden = (name: string): boolean => name.startsWith('.') && !named.includes(name);
  if (includeHidden || !real.split(sep).some(isHidden)) return;
  throw new FileError(
    `'${path}' is a link to the hidden '${real}' and is not uploaded. Name the file itself, or set \`include-hidden-files: true\`.`,
  );
}

/** Whether the real path of a directory, or of one above it, is the workspace or in it. */
async function leadsInto(directory: string, home: string): Promise<boolean> {
  const real = await realpath(directory);
  if (real === home || isInside(real, home)) return true;
  const above = dirname(directory);
  return above !== directory && (await leadsInto(above, home));
}
