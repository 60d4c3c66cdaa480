import { realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { StepError } from '../errors.ts';
import type { FoundFile } from './find.ts';
import { identify, identifyStats } from './identity.ts';
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
      ['Name the file itself, or copy it into the workspace.'],
    );
  }
  if (includeHidden || (await isHiddenNamed(real, [path, await realpath(workspace)]))) return;
  throw new StepError('files', `'${path}' is a link to the hidden '${real}' and is not uploaded.`, [
    'Name the file itself, or set `include-hidden-files: true`.',
  ]);
}

/** Whether these paths contain every hidden name of a real path, in the same or in another spelling. */
async function isHiddenNamed(real: string, paths: readonly string[]): Promise<boolean> {
  const hidden = await listHidden(real);
  if (hidden.length === 0) return true;
  const named = (await Promise.all(paths.map(listHidden))).flat();
  return hidden.every((each) => named.includes(each));
}

/**
 * The names in a path that begin with a dot, without regard to case and composed letters, each with the
 * identity of what it leads to: the workspace itself may be in a directory that has the name of a hidden
 * one in it.
 */
async function listHidden(path: string): Promise<readonly string[]> {
  const above = dirname(path);
  if (above === path) return [];
  const names = await listHidden(above);
  const name = basename(path);
  if (!name.startsWith('.')) return names;
  return [...names, `${name.normalize().toLowerCase()}/${await identify(await realpath(path))}`];
}

/** Whether the real path of a directory, or of one above it, is the workspace or in it. */
async function leadsInto(directory: string, home: string): Promise<boolean> {
  if (await isInside(await realpath(directory), home)) return true;
  const above = dirname(directory);
  return above !== directory && (await leadsInto(above, home));
}

/**
 * Whether a real path is a directory or in it. Names are not compared: some file systems that ignore case
 * return a real path in the spelling that was asked for, and a directory may be mounted twice.
 */
async function isInside(real: string, directory: string): Promise<boolean> {
  const wanted = identifyStats(await stat(directory, { bigint: true }));
  for (let path = real; ; path = dirname(path)) {
    if (identifyStats(await stat(path, { bigint: true })) === wanted) return true;
    if (dirname(path) === path) return false;
  }
}
