import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { EOL } from 'node:os';
import { join } from 'node:path';

const PREFIXES = {
  GITHUB_OUTPUT: 'set_output',
  GITHUB_STEP_SUMMARY: 'step_summary',
  GITHUB_ENV: 'set_env',
  GITHUB_PATH: 'add_path',
  GITHUB_STATE: 'save_state',
};

/** Paths of the files that a step reports through, each a variable of its environment. */
export type FileCommands = Readonly<Record<keyof typeof PREFIXES, string>>;

/** The content of such a file: everything before the first problem, and the problem. */
export interface KeyValues {
  readonly pairs: readonly { readonly name: string; readonly value: string }[];
  /** The runner's message about the first line that it cannot read. */
  readonly error: string | undefined;
}

/** Creates the empty files in the same places as the runner. */
export async function createFileCommands(runnerTemp: string): Promise<FileCommands> {
  const directory = join(runnerTemp, '_runner_file_commands');
  await mkdir(directory, { recursive: true });
  const suffix = randomUUID();
  const files = { ...PREFIXES };
  for (const [name, prefix] of Object.entries(PREFIXES)) {
    const path = join(directory, `${prefix}_${suffix}`);
    await writeFile(path, '');
    Object.assign(files, { [name]: path });
  }
  return files;
}

/**
 * Parses `name=value` lines and `name<<delimiter` blocks as the runner does (FileCommandManager.cs):
 * a line ends with LF, and on Windows, where `eol` is CR LF, also with that.
 */
export function parseKeyValues(text: string, eol = EOL): KeyValues {
  const end = eol === '\r\n' ? /\r?\n$/ : /\n$/;
  // A byte order mark does not belong to the text (File.ReadAllText).
  const lines = text.replace(/^\uFEFF/, '').split(/(?<=\n)/);
  const pairs: { name: string; value: string }[] = [];
  for (let next = lines.shift(); next !== undefined; next = lines.shift()) {
    const line = next.replace(end, '');
    const [, name = '', separator, rest = ''] = /^([^=]*?)(<<|=)(.*)$/s.exec(line) ?? [];
    if (separator === '=') {
      pairs.push({ name, value: rest });
    } else if (separator === '<<') {
      const count = lines.findIndex((other) => other.replace(end, '') === rest);
      if (name === '' || rest === '') return { pairs, error: `Invalid format '${line}'` };
      if (count < 0) return { pairs, error: `Matching delimiter not found '${rest}'` };
      pairs.push({ name, value: lines.splice(0, count).join('').replace(end, '') });
      lines.shift();
    } else if (line !== '') {
      return { pairs, error: `Invalid format '${line}'` };
    }
  }
  return { pairs, error: undefined };
}
