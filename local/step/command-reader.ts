import { findUnknownCommand, parseCommand, REGISTERED_COMMANDS } from './commands.ts';
import type { ParsedCommand } from './commands.ts';

/** How the runner reads a line of output. */
export type Reading =
  /** Plain output, with an `unknown` command if it only looks like one. */
  | { readonly kind: 'text'; readonly command: ParsedCommand | undefined }
  /** A command to act upon. */
  | { readonly kind: 'command'; readonly command: ParsedCommand };

/** Reads commands line by line, and none between `stop-commands` and its token. */
export class CommandReader {
  #token: string | undefined;

  /** Reads one line without its end. */
  read(line: string): Reading {
    if (this.#token !== undefined) {
      const names = new Set([...REGISTERED_COMMANDS, this.#token]);
      if (parseCommand(line, names)?.command === this.#token) this.#token = undefined;
      return { kind: 'text', command: undefined };
    }
    const command = parseCommand(line);
    if (command === undefined) return { kind: 'text', command: findUnknownCommand(line) };
    if (command.command === 'stop-commands') this.#token = command.data.toLowerCase();
    return { kind: 'command', command };
  }
}
