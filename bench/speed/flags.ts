import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface SpeedFlags {
  /** Names of the lines to run; all of them if none was given. */
  readonly names: readonly string[];
  readonly isCheck: boolean;
  readonly isHelp: boolean;
}

/** One line, for what is wrong with the command line. */
export function formatUsage(known: readonly string[]): string {
  return `usage: npm run bench -- [--check] [--help] [${known.join('|')}]...`;
}

/** What `--help` prints. */
export function formatHelp(known: readonly string[]): string {
  return `${formatUsage(known)}

Runs this action and others as whole processes in turn, prints the median, the least and the most
of each, the ratio of the medians and whether the goals are met. Without names all lines are run;
only then bench/results.json, docs/performance.svg and the table of docs/performance.md are written.

  --check   exit code 1 if a goal is missed
  --help    this text`;
}

/** Reads the command line. Throws an error that says what is wrong with it. */
export function readFlags(args: readonly string[], known: readonly string[]): SpeedFlags {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new RangeError(`There is no line "${unknown}".`);
  const names =
    positionals.length === 0 ? known : known.filter((name) => positionals.includes(name));
  return { names, isCheck: values.check, isHelp: values.help };
}
