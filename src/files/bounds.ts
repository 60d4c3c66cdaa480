import { realpath } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { StepError } from '../errors.ts';
import type { FoundFile } from './find.ts';
import { foldSpelling, isWithin } from './paths.ts';
import { identifyPath } from './regular-file.ts';
import type { Scope } from './search.ts';

/**
 * Throws a StepError if a link leads a file, whose real path is `real`, out of where its pattern may match. A pattern in
 * the workspace may match what really is in the workspace. Any other may match what really is in the directory that it
 * names, such as `/data` in `/data/*.json`. A link to a hidden name needs `include-hidden-files`, unless the pattern
 * spells the name.
 */
export async function checkBounds(
  { path, directory }: FoundFile,
  real: string,
  { workspace, includeHidden }: Scope,
): Promise<void> {
  const home = await realpath(workspace);
  const isForWorkspace = await leadsInto(directory, home);
  const root = isForWorkspace ? home : await realpath(directory);
  if (!(await isInside(real, root))) {
    throw new StepError(
      'files',
      `'${path}' leads to '${real}', outside ${isForWorkspace ? 'the workspace' : `'${root}'`}, and is not uploaded.`,
      'Name the file itself, or copy it into the workspace.',
    );
  }
  const [target, written] = isWithin(real, home)
    ? [relative(home, real), relative(workspace, path)]
    : [real, path];
  const named = listHidden(written);
  if (includeHidden || listHidden(target).every((name) => named.includes(name))) return;
  throw new StepError(
    'files',
    `'${path}' is a link to the hidden '${real}' and is not uploaded.`,
    'Name the file itself, or set `include-hidden-files: true`.',
  );
}

/** Lists the names in a path that begin with a dot, in one spelling. */
function listHidden(path: string): readonly string[] {
  const names = path.split(sep).filter((name) => name.startsWith('.'));
  return names.map(foldSpelling);
}

/** Whether the real path of a directory, or of one above it, is the workspace or in it. */
async function leadsInto(directory: string, home: string): Promise<boolean> {
  if (await isInside(await realpath(directory), home)) return true;
  const above = dirname(directory);
  return above !== directory && leadsInto(above, home);
}

/**
 * Whether a real path is a directory or in it. Some file systems without case return a real path in the spelling that
 * was asked for. Then device and inode say whether two spellings are one directory.
 */
async function isInside(real: string, directory: string): Promise<boolean> {
  if (isWithin(real, directory)) return true;
  const above = real.split(sep).slice(0, directory.split(sep).length).join(sep);
  if (foldSpelling(above) !== foldSpelling(directory)) return false;
  return (await identifyPath(above)) === (await identifyPath(directory));
}
