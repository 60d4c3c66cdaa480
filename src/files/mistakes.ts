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
  const [mark] = /^(?:["']|-(?=\s))/.exec(text) ?? [];
  if (mark !== undefined) return `Remove the '${mark}': each line is a pattern as it is.`;
  const [, object] = /(?:^|\/)(Object|Array)(?=\/|$)/.exec(text) ?? [];
  if (object !== undefined) {
    return `'${object}' is the text of an object or a list: name its member, such as \`.name\`.`;
  }
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
