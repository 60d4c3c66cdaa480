import { mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What is needed of a file system. */
export interface Room {
  readonly bytes: number;
  readonly files: number;
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Makes a temporary folder that is removed when this process ends, also by Ctrl+C. */
export function makeScratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-')));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.once(signal, () => process.exit(code));
  }
  return folder;
}

/** Says what a folder's file system has too little of; undefined if there is room. */
export function findShortage(folder: string, needed: Room): string | undefined {
  const { bavail, bsize, ffree, files } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes < needed.bytes) {
    return `${formatGiB(needed.bytes)} are needed in ${folder}, ${formatGiB(freeBytes)} are free`;
  }
  // File systems without a fixed number of files say that they have none.
  return files > 0 && ffree < needed.files
    ? `${needed.files} files are to be made in ${folder}, ${ffree} are free`
    : undefined;
}

function formatGiB(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}
