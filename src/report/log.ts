import * as core from '@actions/core';
import type { Clean } from '../text.ts';
import { showText } from './clean.ts';
import { Redactor } from './redactor.ts';

/**
 * The one way for text to reach the log and the annotations: nothing that is written here is taken
 * for a runner command. It also knows the secrets; texts from outside are cleaned where they come in.
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

  /** Masks a secret in the runner's log, and takes it out of cleaned texts. Never masks a blank. */
  protect(text: string): void {
    const secret = text.trim();
    if (secret === '' || this.#masked.has(secret)) return;
    this.#masked.add(secret);
    core.setSecret(secret);
    this.hide(secret);
  }

  /**
   * Takes a text out of cleaned texts, but does not mask it: for parts of secrets, which may be common
   * words. The runner would drop every job output that contains one.
   */
  hide(text: string): void {
    if (text.trim() !== '') this.#redactor.learn(text);
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

  warning(title: string, text: string): void {
    core.warning(showText(this.#prefix(text)), { title: this.#entitle(title) });
  }

  error(title: string, text: string): void {
    core.error(showText(this.#prefix(text)), { title: this.#entitle(title) });
  }

  /** A text from outside without invisible characters and secrets. */
  readonly clean: Clean = (text) => this.#redactor.redact(text);

  #prefix(text: string): string {
    return this.#label === undefined ? text : `[${this.#label}] ${text}`;
  }

  #entitle(title: string): string {
    return showText(this.#label === undefined ? title : `${title}: ${this.#label}`);
  }
}
