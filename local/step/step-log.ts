import { parseCommand, type ParsedCommand } from './commands.ts';
import { Masks } from './masks.ts';
import type { Annotation } from './types.ts';

const LABELS = { error: 'Error', warning: 'Warning', notice: 'Notice' };

// ExecutionContext.cs: _maxIssueMessageLength and _maxIssueCount.
const MAX_MESSAGE_CHARACTERS = 4096;
const MAX_ANNOTATIONS_PER_LEVEL = 10;

/** The runner's log and annotations of a step's output, line by line, after ActionCommandManager.cs. */
export class StepLog {
  readonly annotations: Annotation[] = [];
  readonly commands: ParsedCommand[] = [];
  readonly masks = new Masks();
  readonly outputs = new Map<string, string>();
  /** The log so far, each line with its end. */
  text = '';
  readonly #showsDebug: boolean;
  readonly #onLine: (line: string) => void;
  /** The token of `stop-commands`: until it stands as a command itself, none is read. */
  #stopToken: string | undefined;

  /** `showsDebug`: whether the run has debug logging on (RUNNER_DEBUG). */
  constructor(showsDebug: boolean, onLine: (line: string) => void = () => {}) {
    this.#showsDebug = showsDebug;
    this.#onLine = onLine;
  }

  /** Takes one line of the step's output, without its end. */
  read(line: string): void {
    const command = parseCommand(line, this.#stopToken);
    if (this.#stopToken !== undefined) {
      if (command?.command === this.#stopToken) this.#stopToken = undefined;
      this.#print(line);
    } else if (command === undefined) {
      this.#print(line);
    } else {
      this.commands.push(command);
      this.#obey(command, line);
    }
  }

  /** Adds an annotation, unless its level has too many, and prints its message. */
  annotate(level: Annotation['level'], text: string, title?: string): void {
    const message = text.slice(0, MAX_MESSAGE_CHARACTERS);
    const count = this.annotations.filter((other) => other.level === level).length;
    if (count < MAX_ANNOTATIONS_PER_LEVEL) this.annotations.push({ level, title, message });
    this.#print(`${LABELS[level]}: ${message}`);
  }

  #print(text: string): void {
    const line = this.masks.apply(text);
    this.text += `${line}\n`;
    this.#onLine(line);
  }

  #obey({ command, properties, data }: ParsedCommand, line: string): void {
    switch (command) {
      case 'error':
      case 'warning':
      case 'notice':
        return this.annotate(command, data, properties['title']);
      case 'debug':
        return this.#showsDebug ? this.#print(`##[debug]${data}`) : undefined;
      case 'group':
        return this.#print(`▼ ${data}`);
      case 'stop-commands':
        this.#stopToken = data.toLowerCase();
        return this.#print(line);
      case 'add-mask':
        return this.masks.add(data);
      case 'set-output':
        return void this.outputs.set(properties['name'] ?? '', data);
    }
  }
}
