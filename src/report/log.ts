import * as core from '@actions/core';
import { listForms } from './secret-forms.ts';
import { breakCommands, cutText, redact, stripInvisible } from './clean.ts';

/**
 * The one way for text to reach the log, annotations, outputs and the summary. Whatever came from
 * outside (the service, file names, errors, inputs) is redacted and made harmless here.
 */
export class Log {
  readonly #secrets = new Set<string>();

  /** Masks a secret, in the runner's log and in everything that goes through here. Never a blank. */
  protect(secret: string): void {
    if (secret.trim() === '' || this.#secrets.has(secret)) return;
    core.setSecret(secret);
    for (const form of listForms(secret)) this.#secrets.add(form);
  }

  info(text: string): void {
    core.info(this.clean(text));
  }

  debug(text: string): void {
    core.debug(this.clean(text));
  }

  /** An annotation that is worth knowing. */
  notice(title: string, text: string): void {
    core.notice(this.clean(text), { title: this.clean(title) });
  }

  warning(title: string, text: string): void {
    core.warning(this.clean(text), { title: this.clean(title) });
  }

  error(title: string, text: string): void {
    core.error(this.clean(text), { title: this.clean(title) });
  }

  /** A text as it may be shown: redacted, visible, no runner command, not endless. */
  clean(text: string): string {
    return cutText(breakCommands(this.redact(text)));
  }

  /**
   * A text without secrets and invisible characters. Redacted before anything changes it, and again
   * after, since removing characters could put a secret together.
   */
  redact(text: string): string {
    return redact(stripInvisible(redact(text, this.#secrets)), this.#secrets);
  }
}
