import { SaxesParser } from 'saxes';
import type { SaxesTagPlain } from 'saxes';

/**
 * An XML element with children in the shape of JSON: by name, each name with a list of elements. An element
 * without children is its text. The root also has its attributes (`@name`) and its namespace (`@namespace`).
 */
interface XmlObject {
  [name: string]: (XmlObject | string)[] | string;
}

/** No scan has as many of these. The parser keeps open elements and attributes; each entity costs it an error. */
const LIMITS = { elements: 500_000, levels: 1000, attributes: 1000, 'undefined entities': 1000 };
/** No format needs longer texts. */
const MAX_TEXT_CHARACTERS = 1024;

/** Ends the reading. */
class XmlStop extends Error {}

/** An element that is not closed yet. Its name is empty if it has another namespace than the root. */
interface OpenElement {
  readonly name: string;
  text: string;
  children?: XmlObject;
}

/**
 * Reads an XML document, or the beginning of one, as a value. No entity that the document defines is
 * expanded, and nothing is fetched.
 */
export class XmlReading {
  /** The root element, if there is one, by its name without prefix. */
  readonly document: XmlObject = {};
  /** The root element's name as written; undefined if there is none. */
  root: string | undefined;
  /** Where the document stops being XML, in UTF-16 code units, and whether only its end showed that. */
  fault: { readonly position: number; readonly isAtEnd: boolean } | undefined;
  /** Whether all of it was read, because it is not only a beginning, and reading on did not cost too much. */
  isWhole = false;
  readonly #parser = new SaxesParser<{ xmlns?: false; position: false }>({ position: false });
  /** The open elements, outermost first. */
  readonly #open: OpenElement[] = [];
  /** Of names in the root's namespace: with its colon, or empty. */
  #prefix = '';
  /** The attribute that declares the namespace of this prefix. */
  #declaration = 'xmlns';
  #namespace = '';
  #elements = 0;
  #attributes = 0;
  #undefined = 0;
  #hasDtd = false;
  #isClosing = false;

  constructor(text: string, isHead: boolean) {
    this.#parser.on('opentag', (tag) => this.#enter(tag));
    this.#parser.on('attribute', () => limit('attributes', ++this.#attributes));
    this.#parser.on('closetag', () => this.#leave());
    this.#parser.on('text', (piece) => this.#addText(piece));
    this.#parser.on('cdata', (piece) => this.#addText(piece));
    this.#parser.on('doctype', () => {
      this.#hasDtd = true;
    });
    this.#parser.on('error', (error) => this.#judge(error));
    try {
      this.#parser.write(text);
      this.#isClosing = true;
      if (!isHead) this.#parser.close();
      this.isWhole = !isHead;
    } catch (error) {
      if (!(error instanceof XmlStop)) throw error;
    }
    // Where the reading ended, elements may be open.
    while (this.#open.length > 0) this.#leave();
  }

  /** A DTD is not read, so entities that it defines look undefined. */
  #judge({ message }: Error): void {
    if (this.#hasDtd && message.includes('undefined entity')) {
      limit('undefined entities', ++this.#undefined);
      return;
    }
    this.fault = { position: this.#parser.position, isAtEnd: this.#isClosing };
    throw new XmlStop(message);
  }

  #enter({ name, attributes }: SaxesTagPlain): void {
    this.#attributes = 0;
    limit('elements', ++this.#elements);
    limit('levels', this.#open.length + 1);
    if (this.root === undefined) {
      this.#open.push({ ...this.#enterRoot(name, attributes), text: '' });
      return;
    }
    const namespace = attributes[this.#declaration] ?? this.#namespace;
    const isOwn = name.startsWith(this.#prefix) && namespace === this.#namespace;
    const local = isOwn ? name.slice(this.#prefix.length) : '';
    this.#open.push({ name: local.includes(':') ? '' : local, text: '' });
  }

  #enterRoot(name: string, attributes: SaxesTagPlain['attributes']): Omit<OpenElement, 'text'> {
    this.root = name;
    this.#prefix = name.slice(0, name.indexOf(':') + 1);
    if (this.#prefix !== '') this.#declaration = `xmlns:${this.#prefix.slice(0, -1)}`;
    this.#namespace = attributes[this.#declaration] ?? '';
    const children: XmlObject = {};
    for (const [key, text] of Object.entries(attributes)) children[`@${key}`] = text;
    children['@namespace'] = this.#namespace;
    return { name: name.slice(this.#prefix.length), children };
  }

  /** Adds the innermost open element to its parent. */
  #leave(): void {
    const { name = '', text = '', children } = this.#open.pop() ?? {};
    const parent = this.#open.at(-1);
    if (name === '') return;
    const siblings = parent === undefined ? this.document : (parent.children ??= {});
    // Of a name such as `__proto__` this is no list; `find` ignores what is not the object's own.
    const same = siblings[name];
    const element = children ?? text.trim();
    if (Array.isArray(same)) same.push(element);
    else siblings[name] = [element];
  }

  #addText(text: string): void {
    const element = this.#open.at(-1);
    if (element === undefined || element.text.length > MAX_TEXT_CHARACTERS) return;
    element.text += text;
  }
}

function limit(what: keyof typeof LIMITS, count: number): void {
  if (count > LIMITS[what]) throw new XmlStop(`Too many ${what}.`);
}
