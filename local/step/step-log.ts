import { parseCommand, type ParsedCommand } from './commands.ts';
import { Masks } from './masks.ts';
import type { Annotation } from './types.ts';

const LABELS = { error: 'Error', warning: 'Warning', notice: 'Notice' };

/** The runner's log and annotations of a step's output, line by line, after ActionCommandManager.cs. */
export class StepLog {
  readonly annotations: Annotation[] = [];
  readonly commands: ParsedCommand[] = [];
  readonly masks = new Masks();
  /** The log so far, each line with its end. */
  text = '';
  readonly #showsDebug: boolean;
  readonly #onLine: (line: string) => void;

  /** `showsDebug`: whether the run has debug logging on (RUNNER_DEBUG). */
  constructor(showsDebug: boolean, onLine: (line: string) => void = () => {}) {
    this.#showsDebug = showsDebug;
    this.#onLine = onLine;
  }

  /** Takes one line of the step's output, without its end. */
  read(line: string): void {
    const command = parseCommand(line);
    if (command === undefined) return this.#print(line);
    this.commands.push(command);
    this.#obey(command);
  }

  /** Adds an annotation, and prints its message. */
  annotate(level: Annotation['level'], message: string, title?: string): void {
    this.annotations.push({ level, title, message });
    this.#print(`${LABELS[level]}: ${message}`);
  }

  #print(text: string): void {
    const line = this.masks.apply(text);
    this.text += `${line}\n`;
    this.#onLine(line);
  }

  #obey({ command, properties, data }: ParsedCommand): void {
    switch (command) {
      case 'error':
      case 'warning':
      case 'notice':
        return this.annotate(command, data, properties['title']);
      case 'debug':
        return this.#showsDebug ? this.#print(`##[debug]${data}`) : undefined;
      case 'group':
        return this.#print(`▼ ${data}`);
      case 'add-mask':
        return this.masks.add(data);
    }
  }
}
