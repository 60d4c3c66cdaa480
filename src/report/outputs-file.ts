import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes a text to a new file that only this user can read. Its directory has a hidden random name and is
 * in RUNNER_TEMP, which the runner empties after the job. Returns the path of the file. Throws errors of
 * the file system, and an Error without RUNNER_TEMP.
 */
export function writeOutputsFile(text: string, env: NodeJS.ProcessEnv = process.env): string {
  const { RUNNER_TEMP: parent = '' } = env;
  if (parent === '') throw new Error('RUNNER_TEMP is not set');
  const path = join(mkdtempSync(join(parent, '.scan-upload-')), 'results.json');
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  return path;
}
