import { Masks } from './masks.ts';
import type { Annotation } from './types.ts';

const LEVEL_LABELS: Readonly<Record<Annotation['level'], string>> = {
  error: 'Error',
  warning: 'Warning',
  notice: 'Notice',
};

/** The workflow log of one step and the annotations beside it. */
export class StepLog {
  readonly annotations: Annotation[] = [];
  readonly masks = new Masks();
  readonly #lines: string[] = [];
  readonly #showsDebug: boolean;
  readonly #onLine: (line: string) => void;
  #commandFailed = false;

  /** `showsDebug`: whether the run has debug logging on (RUNNER_DEBUG). */
  constructor(showsDebug: boolean, onLine: (line: string) => void = () => {}) {
    this.#showsDebug = showsDebug;
    this.#onLine = onLine;
  }

  /** The log so far as one text. */
  get text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }

  /** Whether a command failed the step. */
  get commandFailed(): boolean {
    return this.#commandFailed;
  }

  /** Prints a line with the masks known by now. */
  print(text: string): void {
    const line = this.masks.apply(text);
    this.#lines.push(line);
    this.#onLine(line);
  }

  /** Prints what only debug logging shows. */
  debug(text: string): void {
    if (this.#showsDebug) {
      this.print(`##[debug]${text}`);
    }
  }

  /** Adds an annotation and prints it. */
  annotate(level: Annotation['level'], message: string, title?: string): void {
    this.annotations.push({ level, title, message });
    this.print(`${LEVEL_LABELS[level]}: ${message}`);
  }

  /** Fails the step with an error annotation of the runner's own. */
  fail(message: string): void {
    this.#commandFailed = true;
    this.annotate('error', message);
  }
}
