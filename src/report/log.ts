import * as core from '@actions/core';
import { hide } from '../redaction/clean.ts';
import { splitLines } from '../text.ts';
import { showText } from '../redaction/gate.ts';

/** How many warnings of one step the runner shows; it drops the others silently. */
const MAX_WARNINGS = 10;

/** What act, Gitea and Forgejo set to `true`; they do not decode commands for their log. */
const ENGINES = ['ACT', 'GITEA_ACTIONS', 'FORGEJO_ACTIONS'];

/** Writes the log and the annotations; nothing else writes them. No text that is written here becomes a runner command. */
export class Log {
  readonly #label: string | undefined;
  /** How many warnings were logged, also by the logs of single scans. */
  readonly #warnings: { count: number };

  constructor(label?: string, warnings = { count: 0 }) {
    this.#label = label;
    this.#warnings = warnings;
  }

  /** The same log for one of several scans: each line and title shows the label. */
  named(label: string | undefined): Log {
    return label === undefined ? this : new Log(label, this.#warnings);
  }

  /** Masks a secret in the runner's log, and removes it from all texts. Never masks white space. */
  protect(text: string, mayBeWords?: boolean): void {
    const secret = text.trim();
    if (secret === '') return;
    core.setSecret(secret);
    hide(secret, mayBeWords);
  }

  info(text: string): void {
    core.info(this.#show(text));
  }

  /** Logs a line if there is one scan; with multiple scans only with debug logging. */
  detail(text: string): void {
    if (this.#label === undefined) this.info(text);
    else this.debug(text);
  }

  debug(text: string): void {
    // Otherwise the runner would drop it.
    if (core.isDebug()) core.debug(this.#show(text));
  }

  /** Writes an annotation as long as the runner shows more of them, then a line of the log. */
  warning(title: string, text: string): void {
    this.#warnings.count += 1;
    if (this.#warnings.count < MAX_WARNINGS) this.#annotate(core.warning, title, text);
    else this.info(`Warning: ${text}`);
  }

  /** Writes an annotation with the number of warnings that are only in the log; call it once, after all warnings. */
  countWarnings(): void {
    const more = this.#warnings.count - (MAX_WARNINGS - 1);
    if (more <= 0) return;
    const text = `${more} more ${more === 1 ? 'warning' : 'warnings'}: see the log.`;
    core.warning(text, { title: 'Scan upload' });
  }

  notice(title: string, text: string): void {
    this.#annotate(core.notice, title, text);
  }

  error(title: string, text: string): void {
    this.#annotate(core.error, title, text);
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

  /**
   * Some engines show a command as it was written, with `%0A` in place of line breaks: there a title and a text
   * are also lines of the log.
   */
  #annotate(write: typeof core.error, title: string, text: string): void {
    const named = this.#label === undefined ? title : `${title} [${this.#label}]`;
    if (ENGINES.some((name) => process.env[name] === 'true')) {
      for (const line of [named, ...splitLines(showText(text))]) this.info(line);
    }
    write(this.#show(text), { title: showText(named) });
  }

  #show(text: string): string {
    return showText(this.#label === undefined ? text : `[${this.#label}] ${text}`);
  }
}
