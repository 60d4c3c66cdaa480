import { isUtf8 } from 'node:buffer';
import { readdir } from 'node:fs/promises';
import { errorCode } from '../errors.ts';

/** A name in a directory; one whose type is not known is a link. */
export interface DirectoryEntry {
  readonly name: string;
  /** The name in bytes, if it is not UTF-8. */
  readonly bytes?: Buffer | undefined;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export type Listing = Promise<readonly DirectoryEntry[]>;

/** Requests the entries of a directory; a failure counts once they are needed. */
export function requestEntries(path: string): Listing {
  const listing = listEntries(path);
  listing.catch(() => {});
  return listing;
}

async function listEntries(path: string): Listing {
  // Latin-1 keeps each byte of a name that is not UTF-8.
  const encoding = 'latin1';
  try {
    return (await readdir(path, { encoding, withFileTypes: true })).map(decodeName);
  } catch (error) {
    // If the file system does not report types, Node asks for the type of each file and fails if one is
    // gone by then, or has a name that Latin-1 changes. Reading only the names avoids this.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  return (await readdir(path, { encoding })).map((name) => decodeName({ name, ...UNKNOWN }));
}

const UNKNOWN = { isDirectory: () => false, isSymbolicLink: () => true };

function decodeName(entry: DirectoryEntry): DirectoryEntry {
  if (!/[^\0-\x7F]/.test(entry.name)) return entry;
  const bytes = Buffer.from(entry.name, 'latin1');
  const name = bytes.toString();
  if (!isUtf8(bytes)) return { name, bytes, ...UNKNOWN };
  const [isDirectory, isSymbolicLink] = [entry.isDirectory(), entry.isSymbolicLink()];
  return { name, isDirectory: () => isDirectory, isSymbolicLink: () => isSymbolicLink };
}
