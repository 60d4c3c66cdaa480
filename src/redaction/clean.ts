import { Redactor } from './redactor.ts';
import type { Clean } from '../text.ts';

/** The secrets of the process: a secret that is known anywhere is removed everywhere, as with `core.setSecret`. */
const redactor = new Redactor();

/** Removes `secret` from all texts that are cleaned from now on. */
export function hide(secret: string): void {
  if (secret.trim() !== '') redactor.learn(secret);
}

/** A text from outside without invisible characters and secrets. Clean a text whole, before it is trimmed, cut or parsed. */
export const clean: Clean = (text) => redactor.redact(text);
