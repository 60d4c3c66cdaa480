import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { InputError, errorCode, errorMessage } from '../errors.ts';

/**
 * Reads a small regular file as text; a FIFO or a device behind a link would block or never end.
 * Throws what opening does, and an Error for anything else or larger than `maxBytes`.
 */
export function readTextFile(path: string, maxBytes: number): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('not a regular file');
    if (stats.size > maxBytes) throw new Error('too large');
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** The InputError of an input that names a file which `readTextFile` could not read. */
export function explainTextFile(input: string, path: string, error: unknown): InputError {
  const code = errorCode(error);
  const where = isAbsolute(path) ? '' : ' in the workspace';
  const problem =
    code === 'ENOENT'
      ? `does not exist${where}`
      : `cannot be read (${code ?? errorMessage(error)})`;
  return new InputError(`\`${input}\`: the file '${path}' ${problem}.`);
}

/** Whether a text can only be a file's path: it ends in an extension, as no key and no token does. */
export function isFilePath(text: string): boolean {
  return /^[^\r\n]{1,255}\.[a-z]\w{0,4}$/i.test(text);
}
