import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files a step reports through, each a variable of its environment. */
export type FileCommandName =
  'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY' | 'GITHUB_ENV' | 'GITHUB_PATH' | 'GITHUB_STATE';

/** Paths of the files by variable. */
export type FileCommands = Readonly<Record<FileCommandName, string>>;

/** One name and value of an output, environment or state file. */
export interface KeyValue {
  readonly name: string;
  readonly value: string;
}

/** What such a file holds: everything before the first fault, and the fault. */
export interface KeyValues {
  readonly pairs: readonly KeyValue[];
  /** The runner's message about the first line it cannot read. */
  readonly error: string | undefined;
}

/** Creates the files, empty, where the runner has them. */
export async function createFileCommands(runnerTemp: string): Promise<FileCommands> {
  const folder = join(runnerTemp, '_runner_file_commands');
  await mkdir(folder, { recursive: true });
  const suffix = randomUUID();
  const files: FileCommands = {
    GITHUB_OUTPUT: join(folder, `set_output_${suffix}`),
    GITHUB_STEP_SUMMARY: join(folder, `step_summary_${suffix}`),
    GITHUB_ENV: join(folder, `set_env_${suffix}`),
    GITHUB_PATH: join(folder, `add_path_${suffix}`),
    GITHUB_STATE: join(folder, `save_state_${suffix}`),
  };
  await Promise.all(Object.values(files).map((path) => writeFile(path, '')));
  return files;
}

/** A file's text; empty when the step removed the file. */
export async function readFileCommand(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return '';
    }
    throw error;
  }
}

/** Parses `name=value` lines and `name<<delimiter` blocks as the runner does. */
export function parseKeyValues(text: string): KeyValues {
  // A byte order mark does not belong to the text (File.ReadAllText).
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const pairs: KeyValue[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const entry = line === '' ? undefined : parseEntry(line, lines, index + 1);
    if (typeof entry === 'string') {
      return { pairs, error: entry };
    }
    if (entry !== undefined) {
      pairs.push({ name: entry.name, value: entry.value });
      index = entry.lastLine;
    }
  }
  return { pairs, error: undefined };
}

/** The entry that begins with a line, or the runner's message about it. */
function parseEntry(
  line: string,
  lines: readonly string[],
  next: number,
): (KeyValue & { readonly lastLine: number }) | string {
  const equals = line.indexOf('=');
  const block = /^([^=]*?)<<(.*)$/s.exec(line);
  if (block === null) {
    return equals < 0
      ? `Invalid format '${line}'`
      : { name: line.slice(0, equals), value: line.slice(equals + 1), lastLine: next - 1 };
  }
  const [, name = '', delimiter = ''] = block;
  if (name === '' || delimiter === '') {
    return `Invalid format '${line}'. Name must not be empty and delimiter must not be empty`;
  }
  const end = lines.indexOf(delimiter, next);
  return end < 0
    ? `Invalid value. Matching delimiter not found '${delimiter}'`
    : { name, value: lines.slice(next, end).join('\n'), lastLine: end };
}
