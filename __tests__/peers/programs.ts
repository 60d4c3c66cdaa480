import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe } from '@jest/globals';
import { describeUnless } from '../support/skip.ts';
import type { Describe } from '../support/skip.ts';

/** A program of the system that the tests run against. */
type Program = 'jq' | 'nginx' | 'squid';

// Debian installs daemons here, which is not on the PATH of every user.
const DAEMON_DIRECTORIES = ['/usr/sbin', '/usr/local/sbin'];

/**
 * `describe` for tests that need programs. If one is missing they are skipped, but with
 * REQUIRE_PROGRAMS=true they fail.
 */
export function describeWith(...programs: readonly Program[]): Describe {
  if (process.platform !== 'linux') return describeUnless('Linux only');
  const missing = programs.find((program) => findProgram(program) === undefined);
  if (missing === undefined) return describe;
  const reason = `${missing} is missing (bash scripts/install-programs.sh)`;
  if (process.env.REQUIRE_PROGRAMS !== 'true') return describeUnless(reason);
  const run: Describe = describe;
  return (title, body) =>
    run(title, () => {
      beforeAll(() => {
        throw new Error(reason);
      });
      body();
    });
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
