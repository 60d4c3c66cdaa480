/** An element of an XML text, as it is known at its end. */
export interface XmlElement {
  /** Its name with its prefix. */
  readonly name: string;
  /** What its start tag has after its name. */
  readonly attributes: string;
  /** The names from the root to it (`soap:Envelope/soap:Body`); empty if they are longer than in any format. */
  readonly path: string;
  /** The beginning of the text directly in it, with CDATA; references stay. */
  text: string;
  /** Whether it contains elements. */
  hasElements: boolean;
}

/** Why a text is not one well-formed element, and where, in UTF-16 code units; `unread`: it is larger than any scan. */
export type XmlFault =
  | { readonly kind: 'truncated' | 'malformed'; readonly position: number }
  | { readonly kind: 'unread' };

/** No format has more levels, or more start tags, comments, instructions and CDATA together. */
const MAX_LEVELS = 1000;
const MAX_MARKUP = 500_000;
const MAX_PATH_CHARACTERS = 300;
/** How much of an element's text is kept. */
const MAX_TEXT_CHARACTERS = 1024;

/** How markup begins that is neither a tag nor a declaration, and how it ends. */
const OTHER_MARKUP = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;
/** The beginning of a tag, or of a declaration of a DTD. */
const TAG_START = /<([/!]?)([^\s<>/!?"'=[]*)/y;
/** What is no text outside of the root: white space, and the end of a DTD. */
const STRAY = /[^\s\]>]/;
/** A reference in a DTD to declarations elsewhere. */
const PARAMETER = /%[\w:.-]+;/g;

/** Is called at the end of an element, with the elements that contain it, outermost first. */
type OnEnd = (element: Readonly<XmlElement>, ancestors: readonly XmlElement[]) => void;

/**
 * Reads the tags of an XML text in linear time, and calls `onEnd` at the end of each element, or of the text. No
 * entity is expanded. Returns why the text is not one well-formed element, as far as its tags show that.
 */
export function scanXml(text: string, onEnd: OnEnd): XmlFault | undefined {
  const open: XmlElement[] = [];
  const fault = readTags(text, open, onEnd);
  while (open.length > 0) endElement(open, onEnd);
  return fault;
}

/** `open` has the elements that are not closed where the reading ends. */
function readTags(text: string, open: XmlElement[], onEnd: OnEnd): XmlFault | undefined {
  const truncated = { kind: 'truncated', position: text.length } as const;
  let [at, roots, count] = [0, 0, 0];
  for (let start = text.indexOf('<'); start >= 0; start = text.indexOf('<', at)) {
    if (!addText(open.at(-1), text.slice(at, start))) return { kind: 'malformed', position: at };
    const malformed = { kind: 'malformed', position: start } as const;
    count += Number(!text.startsWith('</', start));
    if (count > MAX_MARKUP || open.length > MAX_LEVELS) return { kind: 'unread' };
    const other = OTHER_MARKUP.find(([begin]) => text.startsWith(begin, start));
    if (other !== undefined) {
      const [begin, ending] = other;
      const end = text.indexOf(ending, start + begin.length);
      if (end < 0) return truncated;
      const inside = ending === ']]>' ? text.slice(start + begin.length, end) : '';
      if (!addText(open.at(-1), inside)) return malformed;
      at = end + ending.length;
      continue;
    }
    TAG_START.lastIndex = start;
    const [tag = '', sign, name = ''] = TAG_START.exec(text) ?? [];
    const end = findTagEnd(text, start + tag.length);
    if (end === text.length) return truncated;
    at = end + 1;
    if (sign === '!' && text.charAt(end) !== '<') continue;
    if (name === '' || text.charAt(end) !== '>') return malformed;
    if (sign === '') {
      roots += Number(open.length === 0);
      open.push(openElement(name, text.slice(start + tag.length, end), open.at(-1)));
      if (roots > 1) return malformed;
      if (text.charAt(end - 1) !== '/') continue;
    }
    if (open.at(-1)?.name !== name) return malformed;
    endElement(open, onEnd);
  }
  if (!addText(open.at(-1), text.slice(at))) return { kind: 'malformed', position: at };
  return open.length > 0 || roots === 0 ? truncated : undefined;
}

function openElement(name: string, attributes: string, parent: XmlElement | undefined): XmlElement {
  if (parent !== undefined) parent.hasElements = true;
  const long = parent === undefined ? name : parent.path && `${parent.path}/${name}`;
  const path = long.length > MAX_PATH_CHARACTERS ? '' : long;
  return { name, attributes, path, text: '', hasElements: false };
}

function endElement(open: XmlElement[], onEnd: OnEnd): void {
  for (const element of open.splice(-1)) onEnd(element, open);
}

/** Adds to the text of an element; false if there is none, and it is a text. */
function addText(element: XmlElement | undefined, piece: string): boolean {
  if (element === undefined) return !STRAY.test(piece.replaceAll(PARAMETER, ''));
  if (element.text.length <= MAX_TEXT_CHARACTERS) {
    element.text += piece.trim().slice(0, MAX_TEXT_CHARACTERS);
  }
  return true;
}

/** Where the first `<`, `>` or `[` outside of quotes is, from `start` on; the end of the text if there is none. */
function findTagEnd(text: string, start: number): number {
  let quote = '';
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>' || character === '<' || character === '[') return at;
  }
  return text.length;
}
