import { isUtf8 } from 'node:buffer';
import { readdir } from 'node:fs/promises';
import { errorCode } from '../errors.ts';

/** A name in a directory; one whose type is not known is a link. */
export interface Entry {
  readonly name: string;
  /** The name in bytes, if it is not UTF-8. */
  readonly bytes?: Buffer | undefined;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export type Listing = Promise<readonly Entry[]>;

/** Replaces bytes in a name that are not UTF-8; a path with it does not exist. */
export const REPLACEMENT = '\uFFFD';

/** Requests the entries of a directory; a failure counts once they are needed. */
export function requestEntries(path: string): Listing {
  const listing = listEntries(path);
  listing.catch(() => {});
  return listing;
}

async function listEntries(path: string): Listing {
  let entries: readonly Entry[] = [];
  try {
    entries = await readdir(path, { withFileTypes: true });
    if (!entries.some(({ name }) => name.includes(REPLACEMENT))) return entries;
  } catch (error) {
    // If the file system does not report types, Node asks for the type of each file and fails if one is
    // gone by then. Reading only the names avoids this.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  const known = new Map(entries.map((entry) => [entry.name, entry]));
  // Latin-1 keeps each byte, and is faster to read than buffers.
  return (await readdir(path, { encoding: 'latin1' })).map((raw) => {
    const bytes = Buffer.from(raw, 'latin1');
    const name = bytes.toString();
    const unknown = { isDirectory: () => false, isSymbolicLink: () => true };
    const entry = { name, bytes: isUtf8(bytes) ? undefined : bytes, ...unknown };
    return name.includes(REPLACEMENT) ? entry : (known.get(name) ?? entry);
  });
}
