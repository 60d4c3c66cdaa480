import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { StepError } from '../errors.ts';
import type { FoundFile } from './find.ts';
import { identifyPath } from './regular-file.ts';
import type { Scope } from './search.ts';

/**
 * What a file lies outside of (`the workspace`, or a path), although it must not; undefined if it lies
 * inside. A path inside the workspace, relative or absolute, may lead to files whose real path is in the
 * workspace. An absolute path elsewhere may lead to files below `directory`, which it names; if it leads
 * through the workspace, both rules apply. `real` is the file's real path.
 */
export async function findOutside(
  { path, directory }: Pick<FoundFile, 'path' | 'directory'>,
  real: string,
  workspace: string,
): Promise<string | undefined> {
  const home = await realpath(workspace);
  const isPatternInside = await leadsInto(directory, home);
  const isPathInside = isPatternInside || (await leadsInto(dirname(path), home));
  if (isPathInside && !(await isInside(real, home))) return 'the workspace';
  const root = await realpath(directory);
  return isPatternInside || (await isInside(real, root)) ? undefined : `'${root}'`;
}

/**
 * Throws a StepError if a pattern may not match a file: one that lies outside, or a link to a hidden name,
 * unless the pattern names it or `include-hidden-files` is `true`. `real` is the file's real path.
 */
export async function checkBounds(
  found: FoundFile,
  real: string,
  { workspace, includeHidden }: Scope,
): Promise<void> {
  const { path } = found;
  const outside = await findOutside(found, real, workspace);
  if (outside !== undefined) {
    throw new StepError(
      'files',
      `'${path}' leads to '${real}', outside ${outside}, and is not uploaded.`,
      'Name the file itself, or copy it into the workspace.',
    );
  }
  const named = [...(await listHidden(path)), ...(await listHidden(await realpath(workspace)))];
  if (includeHidden || (await listHidden(real)).every((each) => named.includes(each))) return;
  throw new StepError(
    'files',
    `'${path}' is a link to the hidden '${real}' and is not uploaded.`,
    'Name the file itself, or set `include-hidden-files: true`.',
  );
}

/**
 * The names in a path that begin with a dot, without regard to case and composed letters, each with the
 * identity of what it leads to: the workspace itself may be in a directory that has the name of a hidden
 * one in it.
 */
async function listHidden(path: string): Promise<readonly string[]> {
  const hidden = listAbove(path).filter((each) => basename(each).startsWith('.'));
  return Promise.all(
    hidden.map(
      async (each) => `${basename(each).normalize().toLowerCase()}/${await identifyPath(each)}`,
    ),
  );
}

/** Whether the real path of a directory, or of one above it, is the workspace or in it. */
async function leadsInto(directory: string, home: string): Promise<boolean> {
  for (const each of listAbove(directory)) {
    if (await isInside(await realpath(each), home)) return true;
  }
  return false;
}

/**
 * Whether a real path is a directory or in it. Names are not compared: some file systems that ignore case
 * return a real path in the spelling that was asked for, and a directory may be mounted twice.
 */
async function isInside(real: string, directory: string): Promise<boolean> {
  const identities = await Promise.all(listAbove(real).map(identifyPath));
  return identities.includes(await identifyPath(directory));
}

/** A path, and every directory above it. */
function listAbove(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...listAbove(above)];
}
