import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The part of jest's results that is read here. */
interface Results {
  readonly testResults: readonly {
    readonly testResults: readonly { readonly fullName: string }[];
  }[];
}

/** What os.tmpdir() reads. */
const VARIABLES = ['TMPDIR', 'TEMP', 'TMP'];
/** Node's cache of compiled modules, which npm enables in its own processes. */
const CACHE = 'node-compile-cache';

/**
 * Prints at the end of a run why tests were skipped. Gives the run a temporary directory of its own. Fails the run if
 * anything remains in it at the end.
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
    const names = testResults.flatMap((file) => file.testResults.map(({ fullName }) => fullName));
    // The reasons of skipped tests are in their names (support/files.ts).
    const reasons = names.flatMap((name) => /\[skipped: ([^\]]+)\]/.exec(name)?.[1] ?? []);
    const counts = Array.from(
      Map.groupBy(reasons, (reason) => reason),
      ([reason, all]) => `${all.length}, ${reason}`,
    );
    if (counts.length > 0) process.stderr.write(`\nSkipped tests: ${counts.join('; ')}\n`);
    const problems = this.#listLeft().map((path) => `Left in the temporary directory: ${path}`);
    rmSync(this.#directory, { recursive: true, force: true });
    if (problems.length === 0) return;
    this.#error = new Error(problems.join('\n'));
    process.stderr.write(`\n${this.#error.message}\n`);
  }

  /** Jest fails the run if this returns an error. */
  getLastError(): Error | undefined {
    return this.#error;
  }

  /** What was left, with what is in it. */
  #listLeft(): readonly string[] {
    const paths = readdirSync(this.#directory, { recursive: true, encoding: 'utf8' });
    return paths.filter((path) => !path.startsWith(CACHE));
  }
}
