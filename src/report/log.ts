import * as core from '@actions/core';
import type { Clean } from '../text.ts';
import { showText } from './clean.ts';
import { Redactor } from './redactor.ts';

/** How many warnings of one step the runner shows; it drops the others without a word. */
const MAX_WARNINGS = 10;

/** What a log has in common with those named after it. */
interface Shared {
  /** Knows the secrets. */
  readonly redactor: Redactor;
  /** Knows also what must not show in what a service says. */
  readonly serviceRedactor: Redactor;
  readonly masked: Set<string>;
  /** How many warnings there have been. */
  warnings: number;
}

/**
 * The one way for text to reach the log and the annotations: nothing that is written here is taken
 * for a runner command. It also knows the secrets; texts from outside are cleaned where they come in.
 */
export class Log {
  readonly #shared: Shared;
  readonly #label: string | undefined;

  constructor(parent?: Log, label?: string) {
    this.#shared =
      parent === undefined
        ? {
            redactor: new Redactor(),
            serviceRedactor: new Redactor(),
            masked: new Set(),
            warnings: 0,
          }
        : parent.#shared;
    this.#label = label;
  }

  /** The same log for what concerns one of several things: each line and title says which. */
  named(label: string | undefined): Log {
    return label === undefined ? this : new Log(this, label);
  }

  /** Masks a secret in the runner's log, and takes it out of cleaned texts. Never masks a blank. */
  protect(text: string): void {
    const secret = text.trim();
    if (secret === '' || this.#shared.masked.has(secret)) return;
    this.#shared.masked.add(secret);
    core.setSecret(secret);
    this.hide(secret);
  }

  /**
   * Takes a text out of cleaned texts, but does not mask it: for parts of secrets, which may be common
   * words. The runner would drop every job output that contains one.
   */
  hide(text: string): void {
    if (text.trim() !== '') this.#shared.redactor.learn(text);
    this.hideFromService(text);
  }

  /** Takes a text out of what the service says; files and scans may be named like it. */
  hideFromService(text: string): void {
    if (text.trim() !== '') this.#shared.serviceRedactor.learn(text);
  }

  info(text: string): void {
    core.info(showText(this.#prefix(text)));
  }

  /** What is worth a line where there is one scan, but hardly for each of many. */
  detail(text: string): void {
    if (this.#label === undefined) this.info(text);
    else this.debug(text);
  }

  debug(text: string): void {
    // The runner would drop it.
    if (!core.isDebug()) return;
    core.debug(showText(this.#prefix(text)));
  }

  /** An annotation that is worth knowing. */
  notice(title: string, text: string): void {
    core.notice(showText(this.#prefix(text)), { title: this.#entitle(title) });
  }

  /** An annotation, as long as the runner shows one more; beyond that a line of the log. */
  warning(title: string, text: string): void {
    this.#shared.warnings += 1;
    if (this.#shared.warnings >= MAX_WARNINGS) return this.info(`Warning: ${text}`);
    core.warning(showText(this.#prefix(text)), { title: this.#entitle(title) });
  }

  /** Annotates how many warnings are in the log alone; call it once, after all of them. */
  countWarnings(): void {
    const more = this.#shared.warnings - (MAX_WARNINGS - 1);
    if (more > 0)
      core.warning(`${more} more ${more === 1 ? 'warning' : 'warnings'}: see the log.`, {
        title: 'Scan upload',
      });
  }

  /** Runs `work`; what it logs meanwhile can be folded away under the title. */
  async group<T>(title: string, work: () => Promise<T>): Promise<T> {
    core.startGroup(showText(title));
    try {
      return await work();
    } finally {
      core.endGroup();
    }
  }

  error(title: string, text: string): void {
    core.error(showText(this.#prefix(text)), { title: this.#entitle(title) });
  }

  /** A text from outside without invisible characters and secrets. */
  readonly clean: Clean = (text) => this.#shared.redactor.redact(text);

  /** The same for a text of the service, or of a server in its place. */
  readonly cleanService: Clean = (text) => this.#shared.serviceRedactor.redact(text);

  #prefix(text: string): string {
    return this.#label === undefined ? text : `[${this.#label}] ${text}`;
  }

  #entitle(title: string): string {
    return showText(this.#label === undefined ? title : `${title} [${this.#label}]`);
  }
}
