import type { BigIntStats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { FileError } from '../errors.ts';
import type { FoundFile } from './find.ts';
import { identify } from './identity.ts';
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
  for (const root of roots) {
    if (await isBelow(real, await stat(root, { bigint: true }))) continue;
    throw new FileError(
      `'${path}' leads to '${real}', outside ${root === home ? 'the workspace' : `'${root}'`}, and is not uploaded. Name the file itself, or copy it into the workspace.`,
    );
  }
  if (includeHidden || (await isHiddenNamed(real, [path, home]))) return;
  throw new FileError(
    `'${path}' is a link to the hidden '${real}' and is not uploaded. Name the file itself, or set \`include-hidden-files: true\`.`,
  );
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
  if (await isBelow(await realpath(directory), await stat(home, { bigint: true }))) return true;
  const above = dirname(directory);
  return above !== directory && (await leadsInto(above, home));
}

/**
 * Whether a real path is a directory or in it, by device and inode. Names are not compared: some file
 * systems that ignore case return a real path in the spelling that was asked for, and a directory may be
 * mounted twice. The time of creation is compared too, because some file systems do not number every
 * directory differently (ReFS, network drives).
 */
async function isBelow(real: string, directory: BigIntStats): Promise<boolean> {
  const { dev, ino, birthtimeNs } = await stat(real, { bigint: true });
  const isSame = dev === directory.dev && ino === directory.ino;
  if (isSame && birthtimeNs === directory.birthtimeNs) return true;
  const above = dirname(real);
  return above !== real && (await isBelow(above, directory));
}
