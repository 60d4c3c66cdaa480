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

/** Gives each file part its own path, `<part>/<filename>`, and makes the directory of the part. */
export function placeParts(directory: string): (part: string, filename: string) => string {
  const taken = new Set<string>();
  return (part, filename) => {
    const [parent, name] = [join(directory, toSafeName(part)), toSafeName(filename)];
    const wanted = join(parent, name);
    const isTaken = taken.has(wanted.toLowerCase());
    const path = isTaken ? join(parent, `${taken.size + 1}-${name}`) : wanted;
    taken.add(path.toLowerCase());
    mkdirSync(parent, { recursive: true });
    return path;
  };
}

/** The last segment of a received name, at most 60 characters that every system allows. */
function toSafeName(name: string): string {
  const safe = win32.basename(name).replace(/[^\p{L}\p{N} ._%@+-]/gu, '_');
  const [short = ''] = /^.{0,60}/u.exec(safe) ?? [];
  return short.replace(/[. ]+$/, '') || 'file';
}
