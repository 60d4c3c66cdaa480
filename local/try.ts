// Runs the committed action as a runner would, with the inputs of the command line.
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runStep, type StepOptions } from './step/index.ts';
import { readManifest } from './step/manifest.ts';

const ACTION = join(import.meta.dirname, '..');
const USAGE =
  'usage: SCAN_UPLOAD_TOKEN=TOKEN npm run try -- [--<input> VALUE]... [--workspace DIR] [--debug]';
const ABOUT = `Runs the committed action as a runner would, and prints its log, its outputs and its job summary.
The token is read from the environment variable SCAN_UPLOAD_TOKEN. Files are searched in the
directory that the command was started in, or in --workspace. An option that is repeated is a line
more of its input.

Inputs, with their defaults:`;

/** What a step takes from the environment of its machine to reach a service. */
const PASSED_ON =
  /^(?:https?_proxy|no_proxy|all_proxy|node_extra_ca_certs|ssl_cert_file|ssl_cert_dir)$/i;

/** A link of Markdown, which a terminal does not show. */
const LINK = /\[([^\]]+)\]\(([^)]+)\)/g;

interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple: true;
}

// Other users of the machine can see the command line, so there is no option for the token.
const inputs = (await readManifest(ACTION)).inputs.filter(({ name }) => name !== 'token');

if (process.argv.includes('--help')) {
  const lines = inputs.map(({ name, description, default: value }) => {
    const text = description.replaceAll(LINK, '$1: $2');
    return `  --${name.padEnd(24)} ${text} ${value && `(${value})`}`.trimEnd();
  });
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
  const names = inputs.map(({ name }) => name);
  const texts = [...names, 'workspace'].map(
    (name) => [name, { type: 'string', multiple: true }] as const,
  );
  const debug = { type: 'boolean', multiple: true } as const;
  const options: Record<string, Option> = { ...Object.fromEntries(texts), debug };
  const { values } = parseArgs({ options });
  const text = (name: string): string => (values[name] ?? []).join('\n');
  // npm starts scripts in the package's directory; INIT_CWD is the directory where it was called.
  const workspace = resolve(process.env['INIT_CWD'] ?? '', text('workspace'));
  if (!existsSync(workspace)) throw new TypeError(`There is no ${workspace}`);
  const token = process.env['SCAN_UPLOAD_TOKEN'] ?? '';
  // The action's own error names the reasons of a workflow, such as a fork.
  const isNeeded = text('auth') === '' && text('dry-run') === '';
  if (token === '' && isNeeded) throw new TypeError('Set SCAN_UPLOAD_TOKEN.');
  const given = names.filter((name) => name in values).map((name) => [name, text(name)] as const);
  const passedOn = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  const env = passedOn.map(([name, value = '']) => [name, value] as const);
  return {
    action: ACTION,
    workspace,
    // Stays, with the file of `results-path`.
    runnerTemp: mkdtempSync(join(tmpdir(), 'scan-upload-try-')),
    inputs: { ...Object.fromEntries(given), token },
    env: { ...Object.fromEntries(env), ...('debug' in values && { RUNNER_DEBUG: '1' }) },
  };
}

/** Runs the step and shows it; returns its exit code. */
async function run(options: StepOptions): Promise<number> {
  // Ctrl+C also interrupts the step, which must report before this process ends.
  process.on('SIGINT', () => {});
  const step = await runStep({ ...options, onLogLine: (line) => console.log(line) });
  const outputs = Object.entries(step.outputs).map(([name, value]) => `${name}=${value}`);
  console.log(`\n${formatBlock('Outputs', outputs.join('\n'))}`);
  console.log(formatBlock('Summary', step.summary));
  console.log(formatBlock('Exit code', String(step.exitCode ?? step.signal)));
  return step.exitCode ?? 1;
}

/** A heading, with the text below it indented. */
function formatBlock(heading: string, text: string): string {
  return `${heading}\n${(text || '(empty)').trimEnd().replace(/^(?=.)/gm, '  ')}\n`;
}
