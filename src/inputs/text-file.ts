import { isAbsolute } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { InputError, errorCode, errorMessage } from '../errors.ts';
import type { RegularFile } from '../files/regular-file.ts';
import { UTF_16, isUtf16 } from '../formats/bytes.ts';

/**
 * Reads a small file as text, and closes it. Throws system errors, and an Error for a larger file than
 * `maxBytes` or for UTF-16.
 */
export async function readTextFile({ handle }: RegularFile, maxBytes: number): Promise<string> {
  try {
    // The size of a file is not enough: those of /proc have none, and a file may grow.
    const bytes = await buffer(handle.createReadStream({ end: maxBytes, autoClose: false }));
    if (bytes.length > maxBytes) throw new Error('too large');
    if (isUtf16(bytes)) throw new Error(UTF_16);
    return bytes.toString();
  } finally {
    await handle.close();
  }
}

/** The InputError for a file that could not be opened or read. */
export function explainTextFile(input: string, path: string, error: unknown): InputError {
  const code = errorCode(error);
  const where = isAbsolute(path) ? '' : ' in the workspace';
  const problem =
    code === 'ENOENT'
      ? `does not exist${where}`
      : `cannot be read (${code ?? errorMessage(error)})`;
  return new InputError(`\`${input}\`: the file '${path}' ${problem}.`);
}

/** Whether a text can only be the path of a file: it ends in an extension, unlike any key or token. */
export function isFilePath(text: string): boolean {
  return /^[^\r\n]{1,255}\.[a-z]\w{0,4}$/i.test(text);
}
