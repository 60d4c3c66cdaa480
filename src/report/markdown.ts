/**
 * A text as one line without markup. Punctuation goes out as numeric character references,
 * which markdown never takes for structure (CommonMark, section 2.5): no table, link, image or HTML
 * can come of it.
 */
export function escapeText(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  // A hyphen means something only where it begins a line: a list, or a rule.
  return line.replace(/^-|[!#-&(-+./:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A foreign text as inline code, where not even a mention or an issue number becomes a link. */
export function escapeCode(text: string): string {
  return `<code>${escapeText(text)}</code>`;
}

/** A foreign text as a code block, fenced by more backticks than occur in a row in it. */
export function fence(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 2);
  const marks = '`'.repeat(longest + 1);
  return `${marks}text\n${text}\n${marks}`;
}
