import * as core from '@actions/core';
import { clean, hide } from '../redaction/clean.ts';
import { splitLines } from '../text.ts';
import type { Clean } from '../text.ts';
import { showText } from './clean.ts';

/** How many warnings of one step the runner shows; it drops the others silently. */
const MAX_WARNINGS = 10;

/** What act, Gitea and Forgejo set to `true`; they do not decode commands for their log. */
const ENGINES = ['ACT', 'GITEA_ACTIONS', 'FORGEJO_ACTIONS'];

/** What a log shares with the logs of single scans. */
interface Shared {
  readonly masked: Set<string>;
  /** How many warnings were logged. */
  warnings: number;
}

/**
 * Writes the log and the annotations; nothing else writes them. No text that is written here becomes a
 * runner command. It also cleans texts from outside, because it knows the secrets.
 */
export class Log {
  readonly #shared: Shared;
  readonly #label: string | undefined;

  constructor(parent?: Log, label?: string) {
    this.#shared = parent === undefined ? { masked: new Set(), warnings: 0 } : parent.#shared;
    this.#label = label;
  }

  /** The same log for one of several scans: each line and title shows the label. */
  named(label: string | undefined): Log {
    return label === undefined ? this : new Log(this, label);
  }

  /** Masks a secret in the runner's log, and removes it from cleaned texts. Never masks white space. */
  protect(text: string): void {
    const secret = text.trim();
    if (secret === '' || this.#shared.masked.has(secret)) return;
    this.#shared.masked.add(secret);
    core.setSecret(secret);
    this.hide(secret);
  }

  /**
   * Removes a text from cleaned texts, but does not mask it: for parts of secrets, which may be common
   * words. The runner drops every job output that contains a masked text.
   */
  hide(text: string): void {
    hide(text);
  }

  info(text: string): void {
    core.info(showText(this.#prefix(text)));
  }

  /** Logs a line if there is one scan; with multiple scans only with debug logging. */
  detail(text: string): void {
    if (this.#label === undefined) this.info(text);
    else this.debug(text);
  }

  debug(text: string): void {
    // Otherwise the runner would drop it.
    if (!core.isDebug()) return;
    core.debug(showText(this.#prefix(text)));
  }

  /**
   * Some engines show a command as it was written, with `%0A` in place of line breaks: there a title and a text
   * are also lines of the log.
   */
  #spell(title: string, text: string): void {
    if (!ENGINES.some((name) => process.env[name] === 'true')) return;
    for (const line of [this.#entitle(title), ...splitLines(text)]) this.info(line);
  }

  /** Writes a notice as an annotation. */
  notice(title: string, text: string): void {
    core.notice(showText(this.#prefix(text)), { title: this.#entitle(title) });
  }

  /** Writes an annotation as long as the runner shows more of them, then a line of the log. */
  warning(title: string, text: string): void {
    this.#shared.warnings += 1;
    if (this.#shared.warnings >= MAX_WARNINGS) return this.info(`Warning: ${text}`);
    this.#spell(title, text);
    core.warning(showText(this.#prefix(text)), { title: this.#entitle(title) });
  }

  /** Writes an annotation with the number of warnings that are only in the log; call it once, after all warnings. */
  countWarnings(): void {
    const more = this.#shared.warnings - (MAX_WARNINGS - 1);
    if (more > 0)
      core.warning(`${more} more ${more === 1 ? 'warning' : 'warnings'}: see the log.`, {
        title: 'Scan upload',
      });
  }

  /** Runs `work` in a group: what it logs can be folded under the title. */
  async group<T>(title: string, work: () => Promise<T>): Promise<T> {
    core.startGroup(showText(title));
    try {
      return await work();
    } finally {
      core.endGroup();
    }
  }

  error(title: string, text: string): void {
    this.#spell(title, text);
    core.error(showText(this.#prefix(text)), { title: this.#entitle(title) });
  }

  /** A text from outside without invisible characters and secrets. */
  readonly clean: Clean = clean;

  #prefix(text: string): string {
    return this.#label === undefined ? text : `[${this.#label}] ${text}`;
  }

  #entitle(title: string): string {
    return showText(this.#label === undefined ? title : `${title} [${this.#label}]`);
  }
}
