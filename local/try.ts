import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatOutputs, indent } from './show-block.ts';
import { runStep, type StepRun } from './step/index.ts';
import { readManifest } from './step/manifest.ts';
import { colourHeading, colourLine } from './try/colour.ts';
import { FlagError, formatHelp, readFlags, TOKEN_VARIABLE, USAGE } from './try/flags.ts';
import type { TryFlags } from './try/flags.ts';

const ACTION = join(import.meta.dirname, '..');
const FAILURE = 1;
const USAGE_ERROR = 2;

/** What a step takes from the environment of its machine to reach a service. */
const PASSED_ON =
  /^(?:https?_proxy|no_proxy|all_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir))$/i;

process.exitCode = await main(process.argv.slice(2));

/** Does what the command line says; returns the exit code, which is the step's. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const { inputs } = await readManifest(ACTION);
    // npm starts scripts in the package's folder, and tells where it was called.
    const flags = readFlags(args, inputs, process.env['INIT_CWD'] ?? process.cwd());
    if (flags === 'help') {
      console.log(formatHelp(inputs));
      return 0;
    }
    if (!existsSync(flags.workspace)) throw new FlagError(`there is no ${flags.workspace}`);
    const run = await runInputs(flags);
    showEnd(run);
    return run.exitCode ?? FAILURE;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isUsage = error instanceof FlagError;
    console.error(isUsage ? `${message}; ${USAGE}` : message);
    return isUsage ? USAGE_ERROR : FAILURE;
  }
}

async function runInputs({ inputs, workspace, isDebug }: TryFlags): Promise<StepRun> {
  const token = process.env[TOKEN_VARIABLE] ?? '';
  const passed = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  const cancellation = new AbortController();
  // A terminal tells the step as well: it is to report before this ends.
  process.on('SIGINT', () => {});
  process.once('SIGTERM', () => cancellation.abort());
  return runStep({
    action: ACTION,
    workspace,
    inputs: { ...inputs, token },
    env: {
      ...Object.fromEntries(passed.map(([name, value]) => [name, value ?? ''])),
      ...(isDebug && { RUNNER_DEBUG: '1' }),
    },
    signal: cancellation.signal,
    killSignal: 'SIGTERM',
    onLogLine: (line) => console.log(colourLine(line, process.stdout)),
  });
}

function showEnd(run: StepRun): void {
  showBlock('Outputs', formatOutputs(run.outputs));
  showBlock('Summary', run.summary);
  showBlock('Exit code', String(run.exitCode ?? run.signal));
}

function showBlock(heading: string, text: string): void {
  console.log(`\n${colourHeading(heading, process.stdout)}\n${indent(text)}`);
}
