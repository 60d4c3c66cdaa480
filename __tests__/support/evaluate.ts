import { spawnSync } from 'node:child_process';

/** Far more than any of it takes; only what would never end is ended by it. */
const GUARD_MS = 30_000;

/**
 * What an expression of a source module's exports (`m`) or its promise comes to, as text, in a process of its own:
 * one with other variables, or one that may be ended if the expression never is.
 */
export function evaluate(
  module: string,
  expression: string,
  variables: Readonly<Record<string, string>> = {},
): string {
  const { href } = new URL(`../../src/${module}`, import.meta.url);
  const script = `import(process.argv[1]).then(async (m) => console.log(String(await ${expression})))`;
  const args = ['--eval', script, href];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, ...variables },
    encoding: 'utf8',
    timeout: GUARD_MS,
    killSignal: 'SIGKILL',
  });
  if (status === 0) return stdout.trim();
  throw new Error(signal === null ? stderr : `Not done after ${GUARD_MS} ms: ${expression}`);
}
