import { findUnexpanded } from '../expressions.ts';
import { IS_WINDOWS } from './paths.ts';

/** What is wrong with the text of a pattern, and what to do about it; undefined if it looks right. */
export function findMistake(text: string, input: string): string | undefined {
  const unexpanded = findUnexpanded(text);
  if (unexpanded !== undefined) return unexpanded;
  const [comment] = /\s+#.*/.exec(text) ?? [];
  if (comment !== undefined) {
    return `Remove '${comment.trim()}': only a line that begins with '#' is a comment.`;
  }
  if (!IS_WINDOWS && text.includes('\\')) {
    return "Write '/' between names: '\\' makes the next character literal.";
  }
  if (/^["']/.test(text)) return 'Remove the quotes.';
  if (/^-\s/.test(text)) return "Remove the '-': each line is a pattern of its own.";
  if (/[{},]/.test(text)) {
    return 'Write each pattern in a line of its own, without braces and commas.';
  }
  const words = text.split(/\s+/);
  if (words.length > 1 && words.every(looksLikePath)) {
    return `Write each pattern in a line of its own: \`${input}: |\` keeps line breaks, \`>\` does not.`;
  }
  return undefined;
}

/** Whether a word has a wildcard, an extension, a `/` at its end, or the `!` of an exclusion. */
function looksLikePath(word: string): boolean {
  return /^!|[*?]|\.\w+$|\/$/.test(word);
}
