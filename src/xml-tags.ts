/** An element of an XML text, as it is known at its end. */
export interface XmlElement {
  /** Its name with its prefix. */
  readonly name: string;
  /** The names from the root to it (`soap:Envelope/soap:Body`); empty if they are longer than in any format. */
  readonly path: string;
  /** The beginning of the text directly in it, with CDATA; references stay. */
  text: string;
  /** Whether it contains elements. */
  hasElements: boolean;
}

/** No format has more of these. */
const MAX_LEVELS = 1000;
const MAX_PATH_CHARACTERS = 300;
/** How much of an element's text is kept. */
const MAX_TEXT_CHARACTERS = 1024;

/** How markup begins that is no tag, and how it ends. */
const OTHER_MARKUP = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;
const TAG_START = /<(\/?)([^\s<>/!?"'=]+)/y;
/** Attributes up to the end of the tag, or to that of a text in quotes, which may contain `>`. */
const ATTRIBUTES = /[^<>"']*(?:>|"[^"]*"|'[^']*')/y;

type OnEnd = (element: Readonly<XmlElement>) => void;

/**
 * Reads the tags of an XML text in linear time, and calls `onEnd` at the end of each element, or of the text. No
 * entity is expanded. Returns whether the text is one well-formed element, as far as its tags show that.
 */
export function scanXml(text: string, onEnd: OnEnd): boolean {
  const open: XmlElement[] = [];
  const isWhole = readTags(text, open, onEnd) && open.length === 0;
  for (const element of open.toReversed()) onEnd(element);
  return isWhole;
}

/** Returns false where the text is not well-formed; `open` has the elements that are not closed by then. */
function readTags(text: string, open: XmlElement[], onEnd: OnEnd): boolean {
  let roots = 0;
  let at = 0;
  for (let start = text.indexOf('<'); start >= 0; start = text.indexOf('<', at)) {
    addText(open.at(-1), text.slice(at, start));
    const markup = OTHER_MARKUP.find(([begin]) => text.startsWith(begin, start));
    if (markup !== undefined) {
      const [begin, end] = markup;
      const ended = text.indexOf(end, start + begin.length);
      if (ended < 0) return false;
      if (end === ']]>') addText(open.at(-1), text.slice(start + begin.length, ended));
      at = ended + end.length;
      continue;
    }
    TAG_START.lastIndex = start;
    const [tag = '', slash, name = ''] = TAG_START.exec(text) ?? [];
    at = findTagEnd(text, start + tag.length);
    if (tag === '' || at < 0) return false;
    if (slash === '') {
      roots += Number(open.length === 0);
      open.push(openElement(name, open.at(-1)));
    }
    if (roots !== 1 || open.length > MAX_LEVELS) return false;
    if (slash === '' && text.charAt(at - 2) !== '/') continue;
    if (open.at(-1)?.name !== name) return false;
    for (const element of open.splice(-1)) onEnd(element);
  }
  addText(open.at(-1), text.slice(at));
  return roots === 1;
}

function openElement(name: string, parent: XmlElement | undefined): XmlElement {
  if (parent !== undefined) parent.hasElements = true;
  const path = parent === undefined ? name : parent.path && `${parent.path}/${name}`;
  return {
    name,
    path: path.length > MAX_PATH_CHARACTERS ? '' : path,
    text: '',
    hasElements: false,
  };
}

function addText(element: XmlElement | undefined, piece: string): void {
  if (element === undefined || element.text.length > MAX_TEXT_CHARACTERS) return;
  element.text += piece.trim().slice(0, MAX_TEXT_CHARACTERS);
}

/** Where a tag ends whose attributes begin here; -1 if it does not end. */
function findTagEnd(text: string, start: number): number {
  let at = start;
  do {
    ATTRIBUTES.lastIndex = at;
    if (!ATTRIBUTES.test(text)) return -1;
    at = ATTRIBUTES.lastIndex;
  } while (text.charAt(at - 1) !== '>');
  return at;
}
