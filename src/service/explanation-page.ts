import { HTML_REFERENCE, readReference } from '../html.ts';
import { listLines } from '../text.ts';
import { isName, pickLine } from './explanation-line.ts';

/** Comments, elements that are not shown, Tomcat's labels, tags, and the text between them. */
const TOKEN =
  /<!--[^]*?(?:-->|$)|<(script|style|noscript|template)\b[^]*?(?:<\/\1\s*>|$)|<b>(?:message|description)<\/b>|<[a-z/!?](?:"[^"]*"|'[^']*'|[^>"']+|["'])*>?|[^<]+|</gi;
/** Elements within a line; all others begin a new block. */
const INLINE =
  /^<\/?(?:abbr|acronym|a|big|b|bdo|cite|code|del|dfn|em|font|ins|i|kbd|label|mark|q|samp|small|span|strong|sub|sup|s|tt|u|var|wbr)(?![\w:-])/i;
/** Behind these words Apache and squid say why. */
const CAUSE = /\bReason:|\bThe system returned:/;

/** Names of a status that Node does not use, and names of error pages. */
const ALIAS =
  /^(?:Request Entity Too Large|(?:Gateway|Request) Time-out|Service Temporarily Unavailable|Not Allowed|Authorization Required|Proxy Error)$/i;

interface Block {
  /** One line, or several where the page breaks them. */
  readonly text: string;
  readonly isTitle: boolean;
}

/** The title of a page, if it has one. */
export function readTitle(page: string): readonly string[] {
  for (const { text, isTitle } of listBlocks(page)) if (isTitle) return [text];
  return [];
}

/**
 * What a page says: the cause that it states, its title or else the first text of its body that says more than the
 * status, and an old name of the status.
 */
export function listPageTexts(page: string, status: number): readonly string[] {
  let [cause, first, alias]: (string | undefined)[] = [];
  for (const { text } of listBlocks(page)) {
    const [before = '', after = ''] = text.split(CAUSE);
    cause = pickSentence(after, status);
    const line = pickSentence(before, status);
    if (line !== undefined && ALIAS.test(line)) alias ??= line;
    else first ??= line;
    if (cause !== undefined) break;
  }
  return [cause, first, alias].filter((line) => line !== undefined);
}

/** The first line that is a sentence, and not a name, a label or a heading. */
function pickSentence(text: string, status: number): string | undefined {
  const lines = listLines(text).flatMap((line) => pickLine(line, status) ?? []);
  return lines.find((line) => !isName(line) && !/[:?]$/.test(line));
}

/** The texts of a page in document order, without tags and stacks. The time is linear. */
function* listBlocks(page: string): Generator<Block> {
  let text = '';
  let [isTitle, isPre] = [false, false];
  for (const [token] of page.matchAll(TOKEN)) {
    const [, end, name = ''] = /^<(\/?)([a-z][\w:-]*)/i.exec(token) ?? [];
    const tag = name.toLowerCase();
    if (!/^<[a-z/!?]/i.test(token)) text += isPre ? token : joinSourceLines(token);
    else if (tag === 'br') text += '\n';
    else if (!INLINE.test(token) && !token.startsWith('<!--')) {
      if (text.trim() !== '') yield { text: decode(text), isTitle };
      text = '';
      isTitle = tag === 'title' && end === '';
      if (tag === 'pre') isPre = end === '';
    }
  }
  if (text.trim() !== '') yield { text: decode(text), isTitle };
}

/** White space stays as it is within a line, where it may be part of a secret. */
function joinSourceLines(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  const stack = lines.findIndex((line) => /^\s*at\s/.test(line));
  return lines.slice(0, stack < 0 ? undefined : stack).join(' ');
}

function decode(text: string): string {
  return text.replace(
    HTML_REFERENCE,
    (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) =>
      readReference(decimal, hex, name) ?? whole,
  );
}
