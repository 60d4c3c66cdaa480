import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toSafeName } from './safe-name.ts';

/** The files of one request until it is accepted or refused. */
export interface Incoming {
  /** Makes the folder of a part and returns the path its file is to have. */
  place(part: string, filename: string): string;
  /** Moves everything to `<nnnn>-<scan key>`; returns that folder. */
  keep(scanKey: string): Promise<string>;
  /** Removes everything; nothing happens after `keep`. */
  discard(): Promise<void>;
  /** Folder the files are in until they are kept. */
  readonly folder: string;
}

/** Where uploads are kept. */
export interface Store {
  /** Makes room for the files of one request. */
  open(): Promise<Incoming>;
}

/** A store below a folder that is created when missing; numbers go on from what it holds. */
export async function createStore(folder: string): Promise<Store> {
  await mkdir(folder, { recursive: true });
  let number = findLastNumber(await readdir(folder));
  return {
    open: () =>
      openIncoming(join(folder, `.incoming-${randomUUID()}`), (scanKey) => {
        number += 1;
        return join(folder, `${String(number).padStart(4, '0')}-${scanKey}`);
      }),
  };
}

function findLastNumber(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => Number(/^(\d{4,})-/.exec(name)?.[1] ?? 0)));
}

async function openIncoming(folder: string, nameFinal: (key: string) => string): Promise<Incoming> {
  await mkdir(folder);
  const taken = new Set<string>();
  return {
    folder,
    place: (part, filename) => {
      const path = findFreePath(join(folder, toSafeName(part)), toSafeName(filename), taken);
      mkdirSync(dirname(path), { recursive: true });
      return path;
    },
    keep: async (scanKey) => {
      const final = nameFinal(scanKey);
      await rename(folder, final);
      return final;
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  };
}

function findFreePath(folder: string, name: string, taken: Set<string>): string {
  let path = join(folder, name);
  for (let copy = 2; taken.has(path.toLowerCase()); copy += 1) {
    path = join(folder, `${copy}-${name}`);
  }
  taken.add(path.toLowerCase());
  return path;
}
