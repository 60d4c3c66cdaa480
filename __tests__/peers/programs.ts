import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from '@jest/globals';

/** A program of the system that the tests run against. */
export type Program = 'jq' | 'nginx' | 'squid';

// Where Debian puts daemons, which is not on the path of every user.
const DAEMON_DIRECTORIES = ['/usr/sbin', '/usr/local/sbin'];
const ROOT_UID = 0;

/**
 * `describe` for tests against programs that not every machine has. Where one is missing they are
 * skipped, with a line that says so; where the set-up could have installed it, they fail.
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

/** The path of an installed program. Throws where it is missing. */
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

/** Whether the set-up could and should have installed every program. */
function isRequired(): boolean {
  const isRoot = process.getuid?.() === ROOT_UID;
  return process.env.CI === 'true' && process.platform === 'linux' && isRoot;
}
