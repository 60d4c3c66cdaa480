import { realpath } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { FileError } from '../errors.ts';
import type { FoundFile } from './find.ts';
import { isInside } from './paths.ts';
import type { Scope } from './search.ts';

/**
 * A pattern inside the workspace, relative or absolute, reaches what really lies in the workspace; an
 * absolute pattern elsewhere reaches what really lies below the directory it names (but nothing outside
 * of the workspace by way of it). A link to a hidden name is refused unless the pattern names it or
 * `include-hidden-files` is set. `real` is the file's real path. Throws a FileError.
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
    `'${path}' is a link to the hidden '${real}' and is not uploaded. Name the file itself, or set \`include-hidden-files\`.`,
  );
}

/** Whether a directory, or one above it, really is the workspace or lies in it. */
async function leadsInto(directory: string, home: string): Promise<boolean> {
  const real = await realpath(directory);
  if (real === home || isInside(real, home)) return true;
  const above = dirname(directory);
  return above !== directory && (await leadsInto(above, home));
}
