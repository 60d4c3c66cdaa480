import { findUnknownCommand, parseCommand } from '../../../local/step/commands.ts';
import type { ParsedCommand } from '../../../local/step/commands.ts';
import type { StepRun } from '../../../local/step/index.ts';
import { MARKER } from './hostile.ts';
import type { Secrets } from './secrets.ts';

const ANNOTATIONS = new Set(['error', 'warning', 'notice']);
const TITLE = /^Scan (?:upload|file)\b/;
const MIN_MASK_CHARACTERS = 8;

/** Lines that the runner takes, or might take, for commands which the action did not mean. */
export function findForeignCommands(run: StepRun, secrets: Secrets): readonly string[] {
  return listLines(run).flatMap((line) => {
    const command = parseCommand(line) ?? findUnknownCommand(line);
    return command === undefined || isOwn(command, secrets) ? [] : [line.slice(0, 200)];
  });
}

/** The outputs that a later step could not print without a command among their lines. */
export function findOutputCommands({ outputs }: StepRun): readonly string[] {
  return Object.keys(outputs).filter((name) =>
    splitOutput(outputs[name] ?? '').some(
      (line) => (parseCommand(line) ?? findUnknownCommand(line)) !== undefined,
    ),
  );
}

/** What a run wrote, as lines, as the runner reads them. */
function listLines({ stdout, stderr }: StepRun): readonly string[] {
  return [stdout, stderr].flatMap(splitOutput);
}

function splitOutput(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/** All that a run showed beside the masks, which the runner swallows; unescaped, too. */
export function listSurfaces(run: StepRun): readonly string[] {
  const shown = run.commands.filter(({ command }) => command !== 'add-mask');
  return [
    listLines(run)
      .filter((line) => !line.startsWith('::add-mask::'))
      .join('\n'),
    ...shown.flatMap(({ data, properties }) => [data, ...Object.values(properties)]),
    run.summary,
    ...Object.values(run.outputs),
  ];
}

function isOwn({ command, properties, data }: ParsedCommand, { maskable }: Secrets): boolean {
  const names = Object.keys(properties);
  // What the toolkit's own modules say while they search; the runner hides it unless it is asked.
  if (command === 'debug') return names.length === 0 && !data.startsWith(MARKER);
  if (command === 'add-mask') {
    const isSecret = maskable.some((text) => text.includes(data) || data.includes(text));
    return names.length === 0 && isSecret && data.length >= MIN_MASK_CHARACTERS;
  }
  const { title = '' } = properties;
  if (!ANNOTATIONS.has(command) || names.join() !== 'title') return false;
  return TITLE.test(title) && !title.includes(MARKER);
}
