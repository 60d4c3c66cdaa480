import { SaxesParser } from 'saxes';
import type { SaxesTagPlain } from 'saxes';

/** An element of an XML document, with the parts that formats need: only the root has attributes. */
export class XmlElement {
  /** Without the root's prefix; empty if it has another namespace than the root. */
  readonly name: string;
  /** Its own text and CDATA with white space, or the beginning of a long text. */
  text = '';
  readonly children: XmlElement[] = [];

  constructor(name: string) {
    this.name = name;
  }
}

/** How an XML document was read. */
export interface XmlReading {
  /** The parent of the root element, if there is one; the tree has the first MAX_ELEMENTS elements. */
  readonly document: XmlElement;
  /** The root element's name as written; undefined if there is none. */
  readonly root: string | undefined;
  /** Where the document stops being XML, in UTF-16 code units, and whether only its end showed that. */
  readonly fault: { readonly position: number; readonly isAtEnd: boolean } | undefined;
  /** Whether there are more elements than are kept. */
  readonly isOverfull: boolean;
  /** Whether reading stopped because it would cost too much. */
  readonly isAbandoned: boolean;
}

/** A tree of this size takes about 100 MiB. */
const MAX_ELEMENTS = 500_000;
/** The parser keeps open elements and attributes in memory; no scan has as many levels or attributes. */
const MAX_DEPTH = 1000;
const MAX_ATTRIBUTES = 1000;
/** How many undefined entities are tolerated; each costs the parser an error. */
const MAX_TOLERATED = 1000;
/** No format needs longer texts. */
const MAX_TEXT_CHARACTERS = 1024;

/** The errors that a DTD could explain: it is not read, so entities that it defines look undefined. */
const TOLERATED = /undefined entity/;

/** Ends the reading. */
class XmlStop extends Error {}

/**
 * Reads an XML document, or the beginning of one, into a tree. No entity that the document defines is
 * expanded, and nothing is fetched.
 */
export function readXml(text: string, isHead: boolean): XmlReading {
  const reader = new XmlReader();
  try {
    reader.read(text, isHead);
  } catch (error) {
    if (!(error instanceof XmlStop)) throw error;
  }
  return reader;
}

class XmlReader implements XmlReading {
  readonly document = new XmlElement('');
  root: string | undefined;
  fault: XmlReading['fault'];
  isOverfull = false;
  isAbandoned = false;
  readonly #parser = new SaxesParser<{ xmlns?: false; position: false }>({ position: false });
  /** The open elements, outermost first. */
  readonly #open: XmlElement[] = [this.document];
  /** The prefix of names in the root's namespace, with its colon; empty if there is none. */
  #prefix = '';
  #namespace = '';
  #elements = 0;
  #attributes = 0;
  #hasDtd = false;
  #tolerated = 0;
  #isClosing = false;

  read(text: string, isHead: boolean): void {
    this.#parser.on('opentag', (tag) => this.#enter(tag));
    this.#parser.on('attribute', () => {
      this.#attributes += 1;
      if (this.#attributes > MAX_ATTRIBUTES) this.#abandon();
    });
    this.#parser.on('closetag', () => this.#open.pop());
    this.#parser.on('text', (piece) => this.#addText(piece));
    this.#parser.on('cdata', (piece) => this.#addText(piece));
    this.#parser.on('doctype', () => {
      this.#hasDtd = true;
    });
    this.#parser.on('error', (error) => this.#judge(error));
    this.#parser.write(text);
    this.#isClosing = true;
    if (!isHead) this.#parser.close();
  }

  #judge({ message }: Error): void {
    if (this.#hasDtd && TOLERATED.test(message)) {
      this.#tolerated += 1;
      if (this.#tolerated > MAX_TOLERATED) this.#abandon();
      return;
    }
    this.fault = { position: this.#parser.position, isAtEnd: this.#isClosing };
    throw new XmlStop(message);
  }

  #abandon(): never {
    this.isAbandoned = true;
    throw new XmlStop('Reading on would cost too much.');
  }

  #enter({ name, attributes }: SaxesTagPlain): void {
    this.#attributes = 0;
    this.#elements += 1;
    if (this.#open.length > MAX_DEPTH) this.#abandon();
    const element =
      this.root === undefined
        ? this.#makeRoot(name, attributes)
        : new XmlElement(this.#nameLocally(name, attributes));
    this.isOverfull = this.#elements > MAX_ELEMENTS;
    if (!this.isOverfull) this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  }

  #makeRoot(name: string, attributes: SaxesTagPlain['attributes']): XmlElement {
    this.root = name;
    this.#prefix = name.slice(0, name.indexOf(':') + 1);
    this.#namespace = this.#readNamespace(attributes) ?? '';
    const root = new XmlElement(name.slice(this.#prefix.length));
    const { xmlns: _xmlns, ...others } = attributes;
    for (const [key, text] of Object.entries({ ...others, xmlns: this.#namespace })) {
      const attribute = new XmlElement(`@${key}`);
      attribute.text = text;
      root.children.push(attribute);
    }
    return root;
  }

  /** The name of an element in the root's namespace without prefix; empty if it is in another namespace. */
  #nameLocally(name: string, attributes: SaxesTagPlain['attributes']): string {
    const namespace = this.#readNamespace(attributes) ?? this.#namespace;
    if (!name.startsWith(this.#prefix) || namespace !== this.#namespace) return '';
    const local = name.slice(this.#prefix.length);
    return local.includes(':') ? '' : local;
  }

  /** The namespace that an element declares for the root's prefix. */
  #readNamespace(attributes: SaxesTagPlain['attributes']): string | undefined {
    return attributes[this.#prefix === '' ? 'xmlns' : `xmlns:${this.#prefix.slice(0, -1)}`];
  }

  #addText(text: string): void {
    const element = this.#open.at(-1);
    if (element === undefined || element.text.length > MAX_TEXT_CHARACTERS) return;
    element.text += text;
  }
}
