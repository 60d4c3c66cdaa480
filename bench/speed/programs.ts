import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program of the system that lines compare with. */
export type Program = 'curl' | 'find' | 'openssl' | 'sha256sum';

/** Those of `programs` that are not on the path. */
export function findMissing(
  programs: readonly Program[],
  path: string = process.env.PATH ?? '',
): readonly Program[] {
  const folders = path.split(delimiter);
  return programs.filter(
    (program) => !folders.some((folder) => isExecutable(join(folder, program))),
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
