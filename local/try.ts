// Runs the committed action as a runner would, with the inputs of the command line.
import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { formatBlock, formatOutputs } from './show-block.ts';
import { runStep, type StepOptions } from './step/index.ts';
import { readManifest } from './step/manifest.ts';

const ACTION = join(import.meta.dirname, '..');
const USAGE =
  'usage: SCAN_UPLOAD_TOKEN=TOKEN npm run try -- [--<input> VALUE]... [--workspace DIR] [--debug]';
const ABOUT = `Runs the committed action as a runner would, and prints its log, its outputs and its job summary.
The token is read from the environment variable SCAN_UPLOAD_TOKEN. Files are searched in the
directory that the command was started in, or in --workspace.

Inputs, with their defaults:`;

/** What a step takes from the environment of its machine to reach a service. */
const PASSED_ON = /^(?:(?:https?|no|all)_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir))$/i;

/** The runner's labels at the start of a line, and how they are shown. */
const STYLES = [
  ['Error: ', 'red'],
  ['Warning: ', 'yellow'],
  ['Notice: ', 'cyan'],
  ['##[debug]', 'gray'],
] as const;

// Other users of the machine can see the command line, so there is no option for the token.
const inputs = (await readManifest(ACTION)).inputs.filter(({ name }) => name !== 'token');

if (process.argv.includes('--help')) {
  const lines = inputs.map(({ name, description, default: value }) =>
    `  --${name.padEnd(24)} ${description} ${value && `(${value})`}`.trimEnd(),
  );
  console.log([USAGE, '', ABOUT, ...lines].join('\n'));
} else {
  try {
    process.exitCode = await run(readOptions());
  } catch (error) {
    // Node explains a wrong option in several lines; the first one is enough.
    const [message] = (error instanceof Error ? error.message : String(error)).split('\n');
    console.error(`${message}\n${USAGE}\nThe inputs: npm run try -- --help`);
    process.exitCode = 2;
  }
}

/** The step for the options of the command line. Throws a TypeError for an invalid one. */
function readOptions(): StepOptions {
  const text = { type: 'string' } as const;
  const names = inputs.map(({ name }) => [name, text] as const);
  const { values, tokens } = parseArgs({
    options: { ...Object.fromEntries(names), workspace: text, debug: { type: 'boolean' } },
    tokens: true,
  });
  refuseRepeated(tokens.flatMap((token) => (token.kind === 'option' ? [token.rawName] : [])));
  const { workspace = '', debug: isDebug, ...given } = values;
  // npm starts scripts in the package's directory; INIT_CWD is the directory where it was called.
  const directory = resolve(process.env['INIT_CWD'] ?? '', workspace);
  if (!existsSync(directory)) throw new TypeError(`There is no ${directory}`);
  const env = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  const token = process.env['SCAN_UPLOAD_TOKEN'] ?? '';
  const { auth = 'token', 'dry-run': dryRun } = toTexts(given);
  // The action's own error names the reasons of a workflow, such as a fork.
  if (token === '' && auth === 'token' && dryRun !== 'true') {
    throw new TypeError('Set SCAN_UPLOAD_TOKEN.');
  }
  return {
    action: ACTION,
    workspace: directory,
    runnerTemp: emptyRunnerTemp(),
    inputs: { ...toTexts(given), token },
    env: { ...toTexts(Object.fromEntries(env)), ...(isDebug === true && { RUNNER_DEBUG: '1' }) },
  };
}

/** Otherwise the last one would win, and `--files A --files B` would upload B alone. */
function refuseRepeated(names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated === undefined) return;
  throw new TypeError(
    `Option '${repeated}' is repeated. Give it once; put each pattern on a line of its own.`,
  );
}

/** The step's RUNNER_TEMP, which keeps the file of `results-path` until the next run; each user has one. */
function emptyRunnerTemp(): string {
  const path = join(tmpdir(), `scan-upload-try-${process.getuid?.() ?? 'user'}`);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { mode: 0o700 });
  return realpathSync(path);
}

function toTexts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** Runs the step and shows it; returns its exit code. */
async function run(options: StepOptions): Promise<number> {
  const cancellation = new AbortController();
  // Ctrl+C also interrupts the step, which must report before this process ends.
  process.on('SIGINT', () => {});
  process.once('SIGTERM', () => cancellation.abort());
  const { signal } = cancellation;
  const step = await runStep({ ...options, signal, killSignal: 'SIGTERM', onLogLine: show });
  console.log(`\n${formatBlock('Outputs', formatOutputs(step.outputs))}`);
  console.log(formatBlock('Summary', step.summary));
  console.log(formatBlock('Exit code', String(step.exitCode ?? step.signal)));
  if (step.outputs['results-path']) {
    console.log('The next `npm run try` deletes the file of results-path.');
  }
  return step.exitCode ?? 1;
}

function show(line: string): void {
  const style = STYLES.find(([start]) => line.startsWith(start))?.[1];
  console.log(style === undefined ? line : styleText(style, line, { stream: process.stdout }));
}
