import { clean } from '../redaction/clean.ts';
import { decodeReferences } from '../html.ts';
import { listLines } from '../text.ts';

/** Comments, and elements that are not shown. */
const HIDDEN = /<!--[^]*?(?:-->|$)|<(script|style|noscript|template)\b[^]*?(?:<\/\1\b[^<>]*>|$)/gi;
/** Elements within a line; all others begin a new line. */
const INLINE =
  /<\/?(?:abbr|acronym|a|big|b|bdo|cite|code|del|dfn|em|font|ins|i|kbd|label|mark|q|samp|small|span|strong|sub|sup|s|tt|u|var|wbr)(?![\w:-])[^<>]*>?/gi;
/** What gateways write below each of their pages: `nginx/1.22.1`. */
const PRODUCT = /^[\w-]+\/v?[\d.]+$/;
const TAG = /<[a-z/!?][^<>]*>?/gi;

/** Whether a text begins with a tag, and is no sentence about one: `<bom> is missing`. */
export function isPage(text: string): boolean {
  return /^\s*<[a-z!?]/i.test(text) && /<(?:[/!?]|html|p>)/i.test(text);
}

/**
 * The lines of text of a clean page, without tags, stacks and names of products, until one that introduces
 * a list or code. The time is linear.
 */
export function listPageLines(page: string): readonly string[] {
  const shown = page
    .replace(HIDDEN, '')
    .replaceAll(/^[ \t]*at [^\n]*$/gm, '')
    .replaceAll('\n', ' ')
    .replace(INLINE, '')
    .replace(TAG, '\n');
  // What was written with references may be a secret, or invisible. Apache forgets a space before its reason.
  const lines = listLines(clean(decodeReferences(shown)).replaceAll('.Reason:', '.\nReason:'));
  const end = lines.findIndex((line) => line.endsWith(':'));
  return lines.slice(0, end < 0 ? undefined : end).filter((line) => !PRODUCT.test(line));
}
