import { isAbsolute, resolve } from 'node:path';
import { InputError, errorCode, errorMessage } from '../errors.ts';
import { readSmallFile } from '../files/regular-file.ts';
import type { RegularFile } from '../files/regular-file.ts';
import { isUtf16 } from '../formats/bytes.ts';
import { KINDS } from '../formats/content.ts';

/**
 * The text of a small file that `input` names, relative to the workspace or absolute. `check` throws an
 * Error for a file that must not be read. Throws an InputError that says why it cannot be read.
 */
export async function readTextFile(
  input: string,
  path: string,
  workspace: string,
  maxBytes: number,
  check?: (file: RegularFile) => Promise<void>,
): Promise<string> {
  try {
    const bytes = await readSmallFile(resolve(workspace, path), maxBytes, check);
    if (isUtf16(bytes)) throw new Error(KINDS['utf-16']);
    return bytes.toString();
  } catch (error) {
    const code = errorCode(error);
    const missing = isAbsolute(path)
      ? 'does not exist. Correct the path.'
      : 'does not exist in the workspace. Create it, or check out the repository, before this step.';
    const problem =
      code === 'ENOENT' ? missing : `cannot be read (${code ?? errorMessage(error)}).`;
    throw new InputError(`\`${input}\`: the file '${path}' ${problem}`);
  }
}

/** Whether a text can only be the path of a file: it ends in an extension, unlike any key or token. */
export function isFilePath(text: string): boolean {
  return /^[^\r\n]{1,255}\.[a-z]\w{0,4}$/i.test(text);
}
