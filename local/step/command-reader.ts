import { findUnknownCommand, parseCommand, REGISTERED_COMMANDS } from './commands.ts';
import type { ParsedCommand } from './commands.ts';

/** What a line of output is to the runner. */
export type Reading =
  /** Plain output, with an `unknown` command when it merely looks like one. */
  | { readonly kind: 'text'; readonly command: ParsedCommand | undefined }
  /** A command to act upon. */
  | { readonly kind: 'command'; readonly command: ParsedCommand }
  /** `stop-commands` with a token the runner does not accept. */
  | { readonly kind: 'refused-stop'; readonly command: ParsedCommand }
  /** The end of stopped commands: the token itself. */
  | { readonly kind: 'resume' };

/** Reads commands line by line and keeps quiet between `stop-commands` and its token. */
export class CommandReader {
  #token: string | undefined;

  /** Reads one line without its end. */
  read(line: string): Reading {
    return this.#token === undefined
      ? this.#readActive(line)
      : this.#readStopped(line, this.#token);
  }

  #readActive(line: string): Reading {
    const command = parseCommand(line);
    if (command === undefined) {
      return { kind: 'text', command: findUnknownCommand(line) };
    }
    if (command.command === 'stop-commands') {
      if (!isStopToken(command.data)) {
        return { kind: 'refused-stop', command };
      }
      this.#token = command.data;
    }
    return { kind: 'command', command };
  }

  #readStopped(line: string, token: string): Reading {
    const name = token.toLowerCase();
    const command = parseCommand(line, new Set([...REGISTERED_COMMANDS, name]));
    if (command?.command !== name) {
      return { kind: 'text', command: undefined };
    }
    this.#token = undefined;
    return { kind: 'resume' };
  }
}

/** Whether the runner accepts a token: not empty, not `pause-logging`, not a command's name. */
function isStopToken(token: string): boolean {
  const name = token.toLowerCase();
  return name !== '' && name !== 'pause-logging' && !REGISTERED_COMMANDS.has(name);
}
