import { CommandReader } from './command-reader.ts';
import type { ParsedCommand } from './commands.ts';
import type { StepLog } from './step-log.ts';
import type { OutputStream, StepCommand } from './types.ts';

const STOP_REFUSED =
  "You cannot use a endToken that is an empty string, the string 'pause-logging', or another workflow command.";

// The runner leaves these out of the echo because it shows what they say in its own way.
const NEVER_ECHOED: ReadonlySet<string> = new Set([
  'add-mask',
  'debug',
  'error',
  'notice',
  'warning',
]);

/** What the runner makes of a step's output, line by line, after ActionCommandManager.cs. */
export class Transcript {
  readonly commands: StepCommand[] = [];
  readonly outputs = new Map<string, string>();
  readonly #reader = new CommandReader();
  readonly #log: StepLog;
  #echoes = false;

  constructor(log: StepLog) {
    this.#log = log;
  }

  /** Takes one line of the step's output. */
  read(line: string, stream: OutputStream): void {
    const reading = this.#reader.read(line);
    if (reading.kind !== 'resume' && reading.command !== undefined) {
      this.commands.push({ ...reading.command, line, stream });
    }
    switch (reading.kind) {
      case 'text':
      case 'resume':
        this.#log.print(line);
        break;
      case 'refused-stop':
        this.#log.fail(STOP_REFUSED);
        break;
      case 'command':
        this.#echo(reading.command, line);
        this.#obey(reading.command, line);
        break;
    }
  }

  #echo({ command }: ParsedCommand, line: string): void {
    if (command === 'stop-commands' || (this.#echoes && !NEVER_ECHOED.has(command))) {
      this.#log.print(line);
    }
  }

  #obey({ command, properties, data }: ParsedCommand, line: string): void {
    switch (command) {
      case 'error':
      case 'warning':
      case 'notice':
        this.#log.annotate(command, data, findProperty(properties, 'title'));
        break;
      case 'debug':
        this.#log.debug(data);
        break;
      case 'group':
        this.#log.print(`▼ ${data}`);
        break;
      case 'add-mask':
        this.#mask(data);
        break;
      case 'echo':
        this.#switchEcho(data, line);
        break;
      case 'set-output':
      case 'save-state':
        this.#store(command, findProperty(properties, 'name'), data, line);
        break;
      case 'set-env':
      case 'add-path':
        this.#refuse(line, `The \`${command}\` command is disabled.`);
        break;
    }
  }

  #mask(value: string): void {
    if (value.trim() === '') {
      const message = "Can't add secret mask for empty string in ##[add-mask] command.";
      this.#log.annotate('warning', message);
    } else {
      this.#log.masks.add(value);
    }
  }

  #switchEcho(value: string, line: string): void {
    const choice = value.trim().toUpperCase();
    if (choice === 'ON' || choice === 'OFF') {
      this.#echoes = choice === 'ON';
    } else {
      this.#refuse(line, `Invalid echo command value. Current value is: '${value}'.`);
    }
  }

  #store(command: string, name: string | undefined, value: string, line: string): void {
    this.#log.annotate('warning', `The \`${command}\` command is deprecated.`);
    if (name === undefined) {
      this.#refuse(line, `Required field 'name' is missing in ##[${command}] command.`);
    } else if (command === 'set-output') {
      this.outputs.set(name, value);
    }
  }

  #refuse(line: string, reason: string): void {
    this.#log.fail(`Unable to process command '${line}' successfully.`);
    this.#log.fail(reason);
  }
}

/** A property by its name, which has no case (the runner's dictionary ignores it). */
function findProperty(
  properties: Readonly<Record<string, string>>,
  name: string,
): string | undefined {
  return Object.entries(properties).find(([key]) => key.toLowerCase() === name)?.[1];
}
