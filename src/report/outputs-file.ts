import { closeSync, mkdtempSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes the pieces of a text to a new file that only this user can read. Its directory has a hidden random name and is
 * in RUNNER_TEMP, which the runner empties after the job. Returns the path of the file. Throws errors of
 * the file system, and an Error without RUNNER_TEMP.
 */
export function writeOutputsFile(
  pieces: Iterable<string>,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const { RUNNER_TEMP: parent = '' } = env;
  if (parent === '') throw new Error('RUNNER_TEMP is not set');
  const path = join(mkdtempSync(join(parent, '.scan-upload-')), 'results.json');
  const file = openSync(path, 'wx', 0o600);
  try {
    for (const piece of pieces) writeAll(file, Buffer.from(piece));
  } finally {
    closeSync(file);
  }
  return path;
}

function writeAll(file: number, bytes: Buffer): void {
  for (let start = 0; start < bytes.length;) start += writeSync(file, bytes, start);
}
