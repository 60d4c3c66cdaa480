// The one module that writes what leaves the process: log, annotations, outputs and files.

import { appendFileSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import * as core from '@actions/core';
import { takeMasks } from '../redaction/clean.ts';
import { show } from '../redaction/show.ts';

/** What act, Gitea and Forgejo set to `true`; they do not decode commands for their log. */
const ENGINES = ['ACT', 'GITEA_ACTIONS', 'FORGEJO_ACTIONS'];

/** Writes the log and the annotations, and makes each text of them safe. */
export class Log {
  readonly #label: string | undefined;
  #hasGroup = false;

  constructor(label?: string) {
    this.#label = label;
  }

  /** The same log for one of several scans: each line and title shows the label. */
  named(label: string | undefined): Log {
    return label === undefined ? this : new Log(label);
  }

  info(text: string): void {
    maskSecrets();
    core.info(this.#mark(text));
  }

  /** Logs a line if there is one scan. */
  detail(text: string): void {
    if (this.#label === undefined) this.info(text);
  }

  /** Annotates the run. The runner shows ten annotations of each level; the others stay in its log. */
  warning(title: string, text: string): void {
    this.#annotate(core.warning, title, text);
  }

  notice(title: string, text: string): void {
    this.#annotate(core.notice, title, text);
  }

  error(title: string, text: string): void {
    this.#annotate(core.error, title, text);
  }

  /** Starts a group, which ends the one before: what is logged in it can be folded under the title. */
  startGroup(title: string): void {
    this.endGroup();
    maskSecrets();
    core.startGroup(show(title));
    this.#hasGroup = true;
  }

  endGroup(): void {
    if (this.#hasGroup) core.endGroup();
    this.#hasGroup = false;
  }

  /**
   * Some engines show a command as it was written, with `%0A` in place of line breaks: there a title and a text
   * are also lines of the log.
   */
  #annotate(write: typeof core.error, title: string, text: string): void {
    const named = this.#label === undefined ? title : `${title} [${this.#label}]`;
    if (ENGINES.some((name) => process.env[name] === 'true')) {
      for (const line of [named, ...text.split('\n')]) this.info(line);
    }
    maskSecrets();
    write(this.#mark(text), { title: show(named) });
  }

  #mark(text: string): string {
    return show(this.#label === undefined ? text : `[${this.#label}] ${text}`);
  }
}

/** Asks the runner to mask new secrets, before anything else is written. */
function maskSecrets(): void {
  for (const secret of takeMasks()) core.setSecret(secret);
}

/** Sets an output of the step, which `report/outputs` has made safe. */
export function setOutput(name: string, value: string): void {
  core.setOutput(name, value);
}

/**
 * Adds to a file that only this user can read. Not with the toolkit: its write would wait for Node's threads, which a
 * file system that does not respond may keep busy. `report/outputs` or `report/markdown` has made the text safe.
 */
export function appendFile(path: string, text: string): void {
  appendFileSync(path, text, { mode: 0o600 });
}

/** Makes a directory with a hidden random name in `parent`, and returns the path of a file in it. */
export function makePath(parent: string, name: string): string {
  return join(mkdtempSync(join(parent, '.scan-')), name);
}
