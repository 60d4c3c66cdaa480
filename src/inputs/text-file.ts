import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { InputError, errorCode, errorMessage } from '../errors.ts';
import { UTF_16, isUtf16 } from '../formats/bytes.ts';

/**
 * Reads a small regular file as text. Throws system errors, and an Error for a larger file than `maxBytes`,
 * for UTF-16, or for anything but a regular file: reading a FIFO or a device could block or never end.
 */
export function readTextFile(path: string, maxBytes: number): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('not a regular file');
    if (stats.size > maxBytes) throw new Error('too large');
    const bytes = readFileSync(descriptor);
    if (isUtf16(bytes)) throw new Error(UTF_16);
    return bytes.toString();
  } finally {
    closeSync(descriptor);
  }
}

/** The InputError for a file that `readTextFile` could not read. */
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
