import { spawnSync } from 'node:child_process';

/** Longer than any expression takes on a busy machine, to end one that would never end. */
const GUARD_MS = 60_000;

/**
 * Evaluates an expression with a source module's exports (`m`) in a separate process, with its own
 * environment variables, which is killed if it never ends. Returns the awaited value as text.
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
