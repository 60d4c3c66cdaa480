import { mkdirSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join, win32 } from 'node:path';

/**
 * Gives each upload that is kept in a directory its own name, `<nnnn>-<scan key>`. Makes the
 * directory if it is missing; numbers continue after the existing ones.
 */
export async function numberUploads(directory: string): Promise<(scanKey: string) => string> {
  await mkdir(directory, { recursive: true });
  const names = await readdir(directory);
  let number = Math.max(0, ...names.map((name) => Number(/^(\d{4,})-/.exec(name)?.[1] ?? 0)));
  return (scanKey) => {
    number += 1;
    return join(directory, `${String(number).padStart(4, '0')}-${scanKey}`);
  };
}

/** The path of a file part, `<part>/<filename>`; makes the directory of the part. */
export function placePart(directory: string, part: string, filename: string): string {
  const parent = join(directory, toSafeName(part));
  mkdirSync(parent, { recursive: true });
  return join(parent, toSafeName(filename));
}

/** The last segment of a received name, at most 60 characters that every system allows. */
function toSafeName(name: string): string {
  const safe = win32.basename(name).replace(/[^\p{L}\p{N} ._%@+-]/gu, '_');
  const [short = ''] = /^.{0,60}/u.exec(safe) ?? [];
  return short.replace(/[. ]+$/, '') || 'file';
}
