import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from '@jest/globals';

/** A program of the system that the tests run against. */
export type Program = 'jq' | 'nginx' | 'squid';

// Debian installs daemons here, which is not on the PATH of every user.
const DAEMON_DIRECTORIES = ['/usr/sbin', '/usr/local/sbin'];
const ROOT_UID = 0;

/**
 * `describe` for tests that need programs which may not be installed. If one is missing, the tests
 * are skipped with a line on standard error; in CI, where it must be installed, they fail.
 */
export function describeWith(
  ...programs: readonly Program[]
): typeof describe | typeof describe.skip {
  const isLinux = process.platform === 'linux';
  const missing = programs.filter((program) => !isLinux || findProgram(program) === undefined);
  if (missing.length === 0 || isRequired()) return describe;
  const reason = isLinux ? 'not installed (scripts/install-programs.sh)' : 'tested on Linux only';
  for (const program of missing) process.stderr.write(`SKIPPED: ${program} is ${reason}\n`);
  return describe.skip;
}

/** The path of an installed program. Throws if it is missing. */
export function locateProgram(program: Program): string {
  const path = findProgram(program);
  if (path === undefined)
    throw new Error(`${program} is not installed (scripts/install-programs.sh)`);
  return path;
}

function findProgram(program: Program): string | undefined {
  const directories = [...(process.env.PATH ?? '').split(delimiter), ...DAEMON_DIRECTORIES];
  return directories.map((directory) => join(directory, program)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether every program must be installed: CI on Linux, as root. */
function isRequired(): boolean {
  const isRoot = process.getuid?.() === ROOT_UID;
  return process.env.CI === 'true' && process.platform === 'linux' && isRoot;
}
