import { resolve } from 'node:path';
import { InputError, errorCode, errorMessage } from '../errors.ts';
import { readSmallFile } from '../files/regular-file.ts';

/**
 * The bytes of a small file that `input` names, relative to the workspace or absolute. Throws an InputError that
 * says why it cannot be read.
 */
export async function readInputFile(
  input: string,
  path: string,
  workspace: string,
  maxBytes: number,
): Promise<Buffer> {
  try {
    return await readSmallFile(resolve(workspace, path), maxBytes);
  } catch (error) {
    const code = errorCode(error) ?? errorMessage(error);
    const problem =
      code === 'ENOENT'
        ? 'does not exist. Create it, or check out the repository, before this step.'
        : `cannot be read (${code}).`;
    throw new InputError(`\`${input}\`: the file '${path}' ${problem}`);
  }
}

/** Whether a text can only be the path of a file: it ends in an extension, unlike any key or token. */
export function isFilePath(text: string): boolean {
  return /^[^\r\n]{1,255}\.[a-z]\w{0,4}$/i.test(text);
}
