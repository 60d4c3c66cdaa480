import { SaxesParser } from 'saxes';
import type { SaxesTagPlain } from 'saxes';
import type { Visitor } from '../document/collector.ts';

/** How an XML document was read. */
export interface XmlReading {
  /** The root element's name as written; undefined where there is none. */
  readonly root: string | undefined;
  /** Where the document stops being XML, in characters from its first; at its end it was cut. */
  readonly fault?: { readonly position: number; readonly isCut: boolean };
  /** Whether it was read no further, because reading it would cost too much. */
  readonly isAbandoned: boolean;
}

/** What the parser keeps costs memory; no scan has as many levels, or attributes of one element. */
const MAX_DEPTH = 1000;
const MAX_ATTRIBUTES = 1000;
/** The parser keeps a tag, a comment or a text until it has it whole, in characters. */
const MAX_TOKEN_CHARACTERS = 4 * 1024 * 1024;
/** Each costs the parser an error of its own. */
const MAX_TOLERATED = 1000;

/** Longer texts are nothing that a layout asks for. */
const MAX_TEXT_CHARACTERS = 256;

/** Where there is a DTD, only a reader of all of it could judge that. */
const TOLERATED = /undefined entity/;

class XmlStop extends Error {
  readonly reading: XmlReading;

  constructor(reading: XmlReading) {
    super('The document is read no further.');
    this.name = 'XmlStop';
    this.reading = reading;
  }
}

/**
 * Reads XML piece by piece and tells the visitor of it: the root element, its namespace as `@xmlns`,
 * and the elements in the root's namespace. No entity of the document's own is expanded, and nothing
 * is fetched.
 */
export class XmlScanner {
  readonly #visitor: Visitor;
  readonly #parser = new SaxesParser<{ xmlns?: false; position: false }>({ position: false });
  #root: string | undefined;
  /** Of the names in the root's namespace: empty, or with its colon. */
  #prefix = '';
  #namespace = '';
  #depth = 0;
  /** The depth of the element that is of no interest; 0 while there is none. */
  #mutedDepth = 0;
  #text = '';
  #hasDtd = false;
  #tolerated = 0;
  #isClosing = false;
  #attributes = 0;
  /** Characters since the parser last told of anything. */
  #silence = 0;
  #reading: XmlReading | undefined;

  constructor(visitor: Visitor) {
    this.#visitor = visitor;
    this.#parser.on('opentag', (tag) => this.#open(tag));
    this.#parser.on('attribute', () => this.#countAttribute());
    this.#parser.on('closetag', () => this.#close());
    this.#parser.on('text', (text) => this.#addText(text));
    this.#parser.on('cdata', (text) => this.#addText(text));
    this.#parser.on('doctype', () => {
      this.#hasDtd = true;
    });
    this.#parser.on('error', (error) => this.#judge(error));
  }

  /** Reads on; returns whether what follows matters. */
  push(piece: string): boolean {
    this.#silence += piece.length;
    this.#attempt(() => {
      this.#parser.write(piece);
      if (this.#silence > MAX_TOKEN_CHARACTERS) this.#abandon();
    });
    return this.#reading === undefined;
  }

  /** How the document was read, now that all of it has been pushed; a head may end anywhere. */
  end(isHead: boolean): XmlReading {
    this.#isClosing = true;
    if (!isHead) this.#attempt(() => this.#parser.close());
    return this.#reading ?? { root: this.#root, isAbandoned: false };
  }

  #attempt(step: () => void): void {
    if (this.#reading !== undefined) return;
    try {
      step();
    } catch (error) {
      if (!(error instanceof XmlStop)) throw error;
      this.#reading = error.reading;
    }
  }

  #judge(error: Error): void {
    if (this.#hasDtd && TOLERATED.test(error.message)) {
      this.#tolerated += 1;
      if (this.#tolerated > MAX_TOLERATED) this.#abandon();
      return;
    }
    const fault = { position: this.#parser.position, isCut: this.#isClosing };
    throw new XmlStop({ root: this.#root, fault, isAbandoned: false });
  }

  #abandon(): never {
    throw new XmlStop({ root: this.#root, isAbandoned: true });
  }

  #countAttribute(): void {
    this.#silence = 0;
    this.#attributes += 1;
    if (this.#attributes > MAX_ATTRIBUTES) this.#abandon();
  }

  #open({ name, attributes }: SaxesTagPlain): void {
    this.#silence = 0;
    this.#attributes = 0;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) this.#abandon();
    this.#text = '';
    if (this.#depth === 1) this.#openRoot(name, attributes);
    else if (this.#mutedDepth === 0 && !this.#enter(name, attributes)) {
      this.#mutedDepth = this.#depth;
    }
  }

  #openRoot(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#root = name;
    this.#prefix = name.slice(0, name.indexOf(':') + 1);
    this.#namespace = this.#readNamespace(attributes) ?? '';
    if (!this.#visitor.enter(name.slice(this.#prefix.length))) {
      this.#mutedDepth = 1;
      return;
    }
    if (!this.#visitor.enter('@xmlns')) return;
    this.#visitor.write(this.#namespace);
    this.#visitor.leave();
  }

  /** Elements of another namespace than the root's are of no interest. */
  #enter(name: string, attributes: Readonly<Record<string, string>>): boolean {
    const namespace = this.#readNamespace(attributes) ?? this.#namespace;
    if (!name.startsWith(this.#prefix) || namespace !== this.#namespace) return false;
    const local = name.slice(this.#prefix.length);
    return !local.includes(':') && this.#visitor.enter(local);
  }

  /** The namespace that an element gives to the root's prefix. */
  #readNamespace(attributes: Readonly<Record<string, string>>): string | undefined {
    return attributes[this.#prefix === '' ? 'xmlns' : `xmlns:${this.#prefix.slice(0, -1)}`];
  }

  #addText(text: string): void {
    this.#silence = 0;
    if (this.#text.length <= MAX_TEXT_CHARACTERS) this.#text += text;
  }

  #close(): void {
    this.#silence = 0;
    if (this.#mutedDepth === 0) {
      const text = this.#text.trim();
      if (this.#visitor.wantsText && text.length <= MAX_TEXT_CHARACTERS) this.#visitor.write(text);
      this.#visitor.leave();
    } else if (this.#mutedDepth === this.#depth) this.#mutedDepth = 0;
    this.#depth -= 1;
  }
}
