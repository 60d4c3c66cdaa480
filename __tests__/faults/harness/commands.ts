import { findUnknownCommand, parseCommand } from '../../../local/step/commands.ts';
import type { ParsedCommand } from '../../../local/step/commands.ts';
import type { StepRun } from '../../../local/step/index.ts';
import { listOutputTexts } from '../../support/results.ts';
import { MARKER } from './hostile.ts';
import type { Secrets } from './secrets.ts';

const ANNOTATIONS = new Set(['error', 'warning', 'notice']);
const TITLE = /^Scan (?:upload|file)\b/;
const MIN_MASK_CHARACTERS = 8;

/** Lines that the runner reads, or could read, as commands that the action did not intend. */
export function findForeignCommands(run: StepRun, secrets: Secrets): readonly string[] {
  return listLines(run).flatMap((line) => {
    const command = parseCommand(line) ?? findUnknownCommand(line);
    return command === undefined || isOwn(command, secrets) ? [] : [line.slice(0, 200)];
  });
}

/** The lines of outputs, and of the file of `results-path`, that a later step could not print without starting a command. */
export function findOutputCommands(run: StepRun): readonly string[] {
  return listOutputTexts(run)
    .flatMap(splitOutput)
    .filter((line) => (parseCommand(line) ?? findUnknownCommand(line)) !== undefined);
}

/** What a run wrote, as lines, as the runner reads them. */
function listLines({ stdout, stderr }: StepRun): readonly string[] {
  return [stdout, stderr].flatMap(splitOutput);
}

function splitOutput(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/** Everything that a run showed except the masks, which the runner hides; escaped and unescaped. */
export function listSurfaces(run: StepRun): readonly string[] {
  const shown = run.commands.filter(({ command }) => command !== 'add-mask');
  return [
    listLines(run)
      .filter((line) => !line.startsWith('::add-mask::'))
      .join('\n'),
    ...shown.flatMap(({ data, properties }) => [data, ...Object.values(properties)]),
    run.summary,
    ...listOutputTexts(run),
  ];
}

function isOwn({ command, properties, data }: ParsedCommand, { maskable }: Secrets): boolean {
  const names = Object.keys(properties);
  // Debug lines of the toolkit's modules, which the runner hides without debug logging.
  if (command === 'debug') return names.length === 0 && !data.startsWith(MARKER);
  if (command === 'add-mask') {
    const isSecret = maskable.some((text) => text.includes(data) || data.includes(text));
    return names.length === 0 && isSecret && data.length >= MIN_MASK_CHARACTERS;
  }
  const { title = '' } = properties;
  if (!ANNOTATIONS.has(command) || names.join() !== 'title') return false;
  return TITLE.test(title) && !title.includes(MARKER);
}
