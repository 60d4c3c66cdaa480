// Installs Stryker in this directory if it is missing or the lockfile is newer than what is installed.
// It is not a dependency of the root, because npm ci has to work there with Node 20.
import { execSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const DIRECTORY = import.meta.dirname;

/** When a file was last written, in milliseconds since 1970; 0 if there is none. */
function readWriteTime(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

// npm writes this copy of the lockfile at the end of an installation.
const installed = readWriteTime(join(DIRECTORY, 'node_modules', '.package-lock.json'));
if (installed < readWriteTime(join(DIRECTORY, 'package-lock.json'))) {
  execSync('npm ci --no-audit --no-fund', { cwd: DIRECTORY, stdio: 'inherit' });
}
