import * as core from '@actions/core';
import { breakCommands, cutText } from './clean.ts';
import { Redactor } from './redactor.ts';

/**
 * The one way for text to reach the log, annotations, outputs and the summary. Whatever came from
 * outside (the service, file names, errors, inputs) is redacted and made harmless here.
 */
export class Log {
  readonly #redactor: Redactor;
  readonly #masked: Set<string>;
  readonly #label: string | undefined;

  constructor(parent?: Log, label?: string) {
    this.#redactor = parent === undefined ? new Redactor() : parent.#redactor;
    this.#masked = parent === undefined ? new Set() : parent.#masked;
    this.#label = label;
  }

  /** The same log for what concerns one of several things: each line and title says which. */
  named(label: string | undefined): Log {
    return label === undefined ? this : new Log(this, label);
  }

  /** Masks a secret, in the runner's log and in everything that goes through here. Never a blank. */
  protect(text: string): void {
    const secret = text.trim();
    if (secret === '' || this.#masked.has(secret)) return;
    this.#masked.add(secret);
    core.setSecret(secret);
    this.hide(secret);
  }

  /**
   * Takes a text out of everything that goes through here, without a word to the runner, which would
   * drop every job output that contains it: for parts of secrets, which may be common words.
   */
  hide(text: string): void {
    if (text.trim() !== '' && !this.#redactor.knows(text)) this.#redactor.learn(text);
  }

  info(text: string): void {
    core.info(this.clean(this.#prefix(text)));
  }

  /** What is worth a line where there is one scan, but hardly for each of many. */
  detail(text: string): void {
    if (this.#label === undefined) this.info(text);
    else this.debug(text);
  }

  debug(text: string): void {
    // The runner would drop it.
    if (!core.isDebug()) return;
    core.debug(this.clean(this.#prefix(text)));
  }

  /** An annotation that is worth knowing. */
  notice(title: string, text: string): void {
    core.notice(this.clean(this.#prefix(text)), { title: this.#entitle(title) });
  }

  warning(title: string, text: string): void {
    core.warning(this.clean(this.#prefix(text)), { title: this.#entitle(title) });
  }

  error(title: string, text: string): void {
    core.error(this.clean(this.#prefix(text)), { title: this.#entitle(title) });
  }

  /** A text as it may be shown: redacted, visible, no runner command, not endless. */
  clean(text: string): string {
    return cutText(breakCommands(this.redact(text)));
  }

  /** A text without secrets and invisible characters. */
  redact(text: string): string {
    return this.#redactor.redact(text);
  }

  /** Texts without secrets and invisible characters, in order. */
  redactAll(texts: readonly string[]): readonly string[] {
    return texts.map((text) => this.redact(text));
  }

  #prefix(text: string): string {
    return this.#label === undefined ? text : `[${this.#label}] ${text}`;
  }

  #entitle(title: string): string {
    return this.clean(this.#label === undefined ? title : `${title}: ${this.#label}`);
  }
}
