import { SaxesParser } from 'saxes';
import type { SaxesTagPlain } from 'saxes';

/** An element of an XML document with what formats ask for: no attributes but the root's namespace. */
export class XmlElement {
  /** Without the root's prefix; empty where it is of another namespace than the root. */
  readonly name: string;
  /** Its own text and CDATA, or the beginning of a long one, with the white space around it. */
  text = '';
  readonly children: XmlElement[] = [];

  constructor(name: string) {
    this.name = name;
  }
}

/** How an XML document was read. */
export interface XmlReading {
  /** Holds the root element, if there is one, and below that the first MAX_ELEMENTS. */
  readonly document: XmlElement;
  /** The root element's name as written; undefined where there is none. */
  readonly root: string | undefined;
  /** Where the document stops being XML, in UTF-16 code units, and whether that shows only at its end. */
  readonly fault: { readonly position: number; readonly isAtEnd: boolean } | undefined;
  /** Whether there are more elements than are kept. */
  readonly isOverfull: boolean;
  /** Whether it was read no further, because reading it would cost too much. */
  readonly isAbandoned: boolean;
}

/** The tree of so many takes about 100 MiB. */
const MAX_ELEMENTS = 500_000;
/** The parser keeps both in memory; no scan has as many levels, or attributes of one element. */
const MAX_DEPTH = 1000;
const MAX_ATTRIBUTES = 1000;
/** Each costs the parser an error of its own. */
const MAX_TOLERATED = 1000;
/** Longer texts are nothing that a format asks for. */
const MAX_TEXT_CHARACTERS = 1024;

/** Where there is a DTD, only a reader of all of it could judge that. */
const TOLERATED = /undefined entity/;

/** Ends the reading. */
class XmlStop extends Error {}

/**
 * Reads an XML document, or the head of one, into a tree. No entity of the document's own is expanded,
 * and nothing is fetched.
 */
export function readXml(text: string, isHead: boolean): XmlReading {
  return new XmlReader().read(text, isHead);
}

class XmlReader {
  readonly #parser = new SaxesParser<{ xmlns?: false; position: false }>({ position: false });
  readonly #document = new XmlElement('');
  /** The open elements, outermost first. */
  readonly #open: XmlElement[] = [this.#document];
  #root: string | undefined;
  /** Of the names in the root's namespace: empty, or with its colon. */
  #prefix = '';
  #namespace = '';
  #elements = 0;
  #attributes = 0;
  #hasDtd = false;
  #tolerated = 0;
  #isClosing = false;
  #isAbandoned = false;
  #fault: XmlReading['fault'];

  constructor() {
    this.#parser.on('opentag', (tag) => this.#enter(tag));
    this.#parser.on('attribute', () => this.#countAttribute());
    this.#parser.on('closetag', () => this.#open.pop());
    this.#parser.on('text', (text) => this.#addText(text));
    this.#parser.on('cdata', (text) => this.#addText(text));
    this.#parser.on('doctype', () => {
      this.#hasDtd = true;
    });
    this.#parser.on('error', (error) => this.#judge(error));
  }

  read(text: string, isHead: boolean): XmlReading {
    try {
      this.#parser.write(text);
      this.#isClosing = true;
      if (!isHead) this.#parser.close();
    } catch (error) {
      if (!(error instanceof XmlStop)) throw error;
    }
    return {
      document: this.#document,
      root: this.#root,
      fault: this.#fault,
      isOverfull: this.#elements > MAX_ELEMENTS,
      isAbandoned: this.#isAbandoned,
    };
  }

  #judge({ message }: Error): void {
    if (this.#hasDtd && TOLERATED.test(message)) {
      this.#tolerated += 1;
      if (this.#tolerated > MAX_TOLERATED) this.#abandon();
      return;
    }
    this.#fault = { position: this.#parser.position, isAtEnd: this.#isClosing };
    throw new XmlStop(message);
  }

  #abandon(): never {
    this.#isAbandoned = true;
    throw new XmlStop('Reading on would cost too much.');
  }

  #countAttribute(): void {
    this.#attributes += 1;
    if (this.#attributes > MAX_ATTRIBUTES) this.#abandon();
  }

  #enter({ name, attributes }: SaxesTagPlain): void {
    this.#attributes = 0;
    this.#elements += 1;
    if (this.#open.length > MAX_DEPTH) this.#abandon();
    const element =
      this.#root === undefined
        ? this.#makeRoot(name, attributes)
        : new XmlElement(this.#nameLocally(name, attributes));
    if (this.#elements <= MAX_ELEMENTS) this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  }

  #makeRoot(name: string, attributes: SaxesTagPlain['attributes']): XmlElement {
    this.#root = name;
    this.#prefix = name.slice(0, name.indexOf(':') + 1);
    const namespace = new XmlElement('@xmlns');
    namespace.text = this.#readNamespace(attributes) ?? '';
    this.#namespace = namespace.text;
    const root = new XmlElement(name.slice(this.#prefix.length));
    root.children.push(namespace);
    return root;
  }

  /** What an element is called in the root's namespace; empty in any other. */
  #nameLocally(name: string, attributes: SaxesTagPlain['attributes']): string {
    const namespace = this.#readNamespace(attributes) ?? this.#namespace;
    if (!name.startsWith(this.#prefix) || namespace !== this.#namespace) return '';
    const local = name.slice(this.#prefix.length);
    return local.includes(':') ? '' : local;
  }

  /** The namespace that an element gives to the root's prefix. */
  #readNamespace(attributes: SaxesTagPlain['attributes']): string | undefined {
    return attributes[this.#prefix === '' ? 'xmlns' : `xmlns:${this.#prefix.slice(0, -1)}`];
  }

  #addText(text: string): void {
    const element = this.#open.at(-1);
    if (element === undefined || element.text.length > MAX_TEXT_CHARACTERS) return;
    element.text += text;
  }
}
