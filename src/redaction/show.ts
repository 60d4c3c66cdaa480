// Makes texts safe where they leave the action: in report/log, report/markdown and report/outputs alone.

import { mapJson } from '../json.ts';
import { cutText } from '../text.ts';
import { clean } from './clean.ts';

/** The longest text that is shown; the runner truncates annotations at 4,096 characters. */
const MAX_SHOWN_CHARACTERS = 4000;

/**
 * A text without secrets, invisible characters and runner commands, and not too long. Join its parts and lines before,
 * since a secret may go over them; escape it afterwards, since escapes divide a secret.
 */
export function show(text: string, maxCharacters = MAX_SHOWN_CHARACTERS): string {
  // A cut starts no command.
  return cutText(breakCommands(clean(text)), maxCharacters);
}

/** Foreign JSON without secrets in its texts, names and numbers; a number that contains one becomes a text. */
export function showForeign(value: unknown): unknown {
  return mapJson(value, (leaf) => {
    const text = clean(String(leaf));
    return text === String(leaf) ? leaf : text;
  });
}

/**
 * Breaks what the runner would read as a command: `::name::` at the start of a line, also after white
 * space, and `##[name]` anywhere in a line.
 */
function breakCommands(text: string): string {
  return text.replace(/^([\t\p{Zs}]*):(?=:)/gmu, '$1: ').replaceAll('##[', '## [');
}
