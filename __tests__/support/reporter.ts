import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The part of jest's results that is read here. */
interface Results {
  readonly testResults: readonly {
    readonly testResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** What os.tmpdir() reads. */
const VARIABLES = ['TMPDIR', 'TEMP', 'TMP'];
/** Node's cache of compiled modules, which npm enables in its own processes. */
const CACHE = 'node-compile-cache';

/**
 * Prints at the end of a run why tests were skipped. Gives the run a temporary directory of its own, and
 * fails the run if anything remains in it at the end.
 */
export default class RunReporter {
  readonly #parent = tmpdir();
  #directory = '';
  #error: Error | undefined;

  /** Before the workers start, which inherit the environment. */
  onRunStart(): void {
    this.#directory = mkdtempSync(join(this.#parent, 'scan-tests-'));
    // Programs that tests start as another user need their directories in it.
    chmodSync(this.#directory, 0o755);
    for (const name of VARIABLES) process.env[name] = this.#directory;
  }

  onRunComplete(_: unknown, { testResults }: Results): void {
    const tests = testResults.flatMap((file) => file.testResults);
    const skipped = tests.filter(({ status }) => status === 'pending');
    const line = describeSkipped(skipped.map(({ fullName }) => fullName));
    if (line !== undefined) process.stderr.write(`\n${line}\n`);
    const left = this.#listLeft();
    rmSync(this.#directory, { recursive: true, force: true });
    if (left.length === 0) return;
    this.#error = new Error(`The tests left in their temporary directory: ${left.join(', ')}`);
    process.stderr.write(`\n${this.#error.message}\n`);
  }

  /** Jest fails the run if this returns an error. */
  getLastError(): Error | undefined {
    return this.#error;
  }

  /** What was left, each directory with its entries. */
  #listLeft(): readonly string[] {
    const entries = readdirSync(this.#directory, { withFileTypes: true });
    return entries
      .filter(({ name }) => name !== CACHE)
      .map((entry) => {
        if (!entry.isDirectory()) return entry.name;
        return `${entry.name} (${readdirSync(join(this.#directory, entry.name)).join(' ')})`;
      });
  }
}

/** One line about skipped tests, by their full names; undefined without a reason in any of them (support/skip.ts). */
function describeSkipped(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) {
    const reason = /\[skipped: ([^\]]+)\]/.exec(name)?.[1];
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  if (counts.size === 0) return undefined;
  return `Skipped tests: ${Array.from(counts, ([reason, count]) => `${count}, ${reason}`).join('; ')}`;
}
