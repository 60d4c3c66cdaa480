import type { Visitor } from '../document/collector.ts';
import { ITEM } from '../document/place.ts';
import { INCOMPLETE, JsonFault, JsonText } from './json-text.ts';

const COMMA = 0x2c;
const COLON = 0x3a;
const QUOTE = 0x22;
const FIRST_LETTER = 0x61;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** What a value is entered as; undefined for the whole text. */
type Name = string | typeof ITEM | undefined;

/**
 * Reads JSON piece by piece and tells the visitor of it. Nothing is built, so that memory is flat but
 * for the longest string and a byte for each level of nesting: `JSON.parse` takes 240 MiB for 4 MiB
 * of brackets. Whether the bytes are UTF-8 is not looked at.
 */
export class JsonScanner {
  readonly #visitor: Visitor;
  readonly #text: JsonText;
  #fault: JsonFault | undefined;
  /** What came after a piece that ended inside of something, and how much of it is worth another try. */
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #wantedBytes = 0;
  #hasBegun = false;
  #secondAt: number | undefined;
  /** The closing bracket of each open object or list, outermost first. */
  #closing = new Uint8Array(64);
  #depth = 0;
  /** Whether the innermost object or list has nothing in it so far: all that end have a value behind them. */
  #isFirst = true;
  /** The depth of the value that the visitor has no interest in; -1 while there is none. */
  #mutedDepth = -1;

  /** The first piece begins at the byte `offset` of the file. */
  constructor(visitor: Visitor, offset: number) {
    this.#visitor = visitor;
    this.#text = new JsonText(offset);
  }

  /** Reads on; the bytes may be overwritten afterwards. Returns whether what follows matters. */
  push(bytes: Buffer): boolean {
    if (this.#fault !== undefined) return false;
    this.#pending.push(Buffer.from(bytes));
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes >= this.#wantedBytes) this.#read();
    return this.#fault === undefined;
  }

  /** Where the text stops being JSON, now that all of it has been pushed; undefined if it is. */
  end(): JsonFault | undefined {
    this.#text.finish();
    if (this.#fault === undefined) this.#read();
    return this.#fault;
  }

  /** Where in the file a second value begins, as in NDJSON; undefined while there is none. */
  get secondAt(): number | undefined {
    return this.#secondAt;
  }

  /** Reads steps for as long as they are whole, so that each is taken again from its beginning. */
  #read(): void {
    this.#text.append(this.#pending.splice(0));
    this.#pendingBytes = 0;
    let start = this.#text.position;
    try {
      while (this.#readStep()) start = this.#text.position;
    } catch (error) {
      if (error instanceof JsonFault) this.#fault = error;
      else if (error !== INCOMPLETE) throw error;
      this.#text.position = start;
      this.#wantedBytes = this.#text.length;
    }
  }

  /** One member, item, beginning or end of a value; false at the end of the text. */
  #readStep(): boolean {
    this.#text.skipSpace();
    const byte = this.#text.peek();
    if (this.#depth > 0) this.#readNext(byte, this.#closing[this.#depth - 1]);
    else if (!this.#hasBegun) this.#readValue(undefined);
    else if (byte === undefined) return false;
    else this.#readAnother(byte);
    return true;
  }

  /** A value that follows a whole one, as in NDJSON. */
  #readAnother(byte: number): void {
    if (byte !== OPEN_OBJECT && byte !== OPEN_LIST) this.#text.fail();
    this.#secondAt ??= this.#text.offset;
    this.#readValue(undefined);
  }

  #readNext(byte: number | undefined, closing: number | undefined): void {
    const text = this.#text;
    if (byte === closing) {
      text.position += 1;
      this.#depth -= 1;
      this.#endValue();
      return;
    }
    if (!this.#isFirst) {
      text.expect(COMMA);
      text.skipSpace();
    }
    if (closing === CLOSE_OBJECT) this.#readValue(this.#readName());
    else this.#readValue(ITEM);
  }

  /** A name and its colon. */
  #readName(): string {
    const text = this.#text;
    const start = text.position + 1;
    const isEscaped = text.skipString();
    const end = text.position - 1;
    text.skipSpace();
    text.expect(COLON);
    text.skipSpace();
    return this.#mutedDepth < 0 ? (text.decode(start, end, isEscaped) ?? '') : '';
  }

  /** Passes what may be incomplete before the visitor hears of it. */
  #readValue(name: Name): void {
    const text = this.#text;
    const byte = text.peek();
    const start = text.position;
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      text.position += 1;
      this.#enter(name);
      this.#open(byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST);
    } else if (byte === QUOTE) {
      const isEscaped = text.skipString();
      this.#enter(name);
      this.#writeText(start + 1, text.position - 1, isEscaped);
      this.#endValue();
    } else {
      text.skipWord();
      this.#enter(name);
      if (!isLiteral(byte)) this.#writeNumber(start, text.position);
      this.#endValue();
    }
  }

  #enter(name: Name): void {
    this.#hasBegun = true;
    if (name === undefined || this.#mutedDepth >= 0) return;
    if (!this.#visitor.enter(name)) this.#mutedDepth = this.#depth;
  }

  #open(closing: number): void {
    if (this.#depth === this.#closing.length) {
      const grown = new Uint8Array(this.#depth * 2);
      grown.set(this.#closing);
      this.#closing = grown;
    }
    this.#closing[this.#depth] = closing;
    this.#depth += 1;
    this.#isFirst = true;
  }

  #writeText(start: number, end: number, isEscaped: boolean): void {
    if (!this.#wantsText) return;
    const text = this.#text.decode(start, end, isEscaped);
    if (text !== undefined) this.#visitor.write(text);
  }

  #writeNumber(start: number, end: number): void {
    if (!this.#wantsText) return;
    const number = this.#text.decodeNumber(start, end);
    if (Number.isFinite(number)) this.#visitor.write(String(number));
  }

  get #wantsText(): boolean {
    return this.#mutedDepth < 0 && this.#visitor.wantsText;
  }

  /** A value ends that was entered at this depth, or that is the whole text. */
  #endValue(): void {
    this.#isFirst = false;
    if (this.#mutedDepth === this.#depth) this.#mutedDepth = -1;
    else if (this.#mutedDepth < 0 && this.#depth > 0) this.#visitor.leave();
  }
}

/** `true`, `false` and `null` are no text that anyone asks for; a number is. */
function isLiteral(byte: number | undefined): boolean {
  return byte !== undefined && byte >= FIRST_LETTER;
}
