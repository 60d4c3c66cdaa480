import { skipSpace } from './bytes.ts';

/** Where a text stops being JSON (RFC 8259). */
export class JsonFault extends Error {
  /** In bytes from the file's first. */
  readonly offset: number;
  /** Whether the text ends too early. */
  readonly isCut: boolean;

  constructor(offset: number, isCut: boolean) {
    super(`${isCut ? 'cut' : 'wrong'} at byte ${offset}`);
    this.name = 'JsonFault';
    this.offset = offset;
    this.isCut = isCut;
  }
}

/** Thrown where the bytes that are there so far end inside of something. */
export const INCOMPLETE = Symbol('incomplete');

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_U = 0x75;
const ESCAPES = new Set(Buffer.from('"\\/bfnrtu'));
const HEX_DIGITS = new Set(Buffer.from('0123456789abcdefABCDEF'));
const SIGNS = new Set(Buffer.from('+-'));
const EXPONENTS = new Set(Buffer.from('eE'));
const LITERALS = ['true', 'false', 'null'].map((text) => Buffer.from(text));

/** Longer names and texts are nothing that anyone asks for. */
export const MAX_TEXT_CHARACTERS = 512;
/** Of one character as an escape (`\u00e9`). */
const MAX_CHARACTER_BYTES = 6;

/** JSON that arrives in pieces, with a position in it: what is passed is checked and forgotten. */
export class JsonText {
  position = 0;
  #bytes = Buffer.alloc(0);
  /** Of the first of the bytes, in the file. */
  #offset: number;
  #isWhole = false;

  constructor(offset: number) {
    this.#offset = offset;
  }

  /** Where the position is in the file, in bytes. */
  get offset(): number {
    return this.#offset + this.position;
  }

  /** How many bytes there are from the position on. */
  get length(): number {
    return this.#bytes.length - this.position;
  }

  /** Adds the next bytes, and drops those before the position. */
  append(pieces: readonly Buffer[]): void {
    this.#offset += this.position;
    this.#bytes = Buffer.concat([this.#bytes.subarray(this.position), ...pieces]);
    this.position = 0;
  }

  /** Says that no more bytes will come. */
  finish(): void {
    this.#isWhole = true;
  }

  peek(): number | undefined {
    return this.#bytes[this.position];
  }

  expect(byte: number): void {
    if (this.peek() !== byte) this.fail();
    this.position += 1;
  }

  skipSpace(): void {
    this.position = skipSpace(this.#bytes, this.position);
  }

  /** Passes a string, its quotes included; returns whether there are escapes in it. */
  skipString(): boolean {
    this.expect(QUOTE);
    const bytes = this.#bytes;
    let position = this.position;
    let isEscaped = false;
    for (let byte = bytes[position]; byte !== QUOTE; byte = bytes[position]) {
      if (byte === BACKSLASH) {
        isEscaped = true;
        this.position = position + 1;
        this.#skipEscape();
        position = this.position;
      } else if (byte === undefined || byte < 0x20) {
        this.position = position;
        this.fail();
      } else position += 1;
    }
    this.position = position + 1;
    return isEscaped;
  }

  /** Passes a number, or `true`, `false` or `null`. */
  skipWord(): void {
    const byte = this.peek();
    if (byte === MINUS || isDigit(byte)) {
      this.#skipNumber();
      // The next piece may go on with it.
      if (this.length === 0 && !this.#isWhole) throw INCOMPLETE;
      return;
    }
    const literal = LITERALS.find(([first]) => first === byte);
    if (literal === undefined) this.fail();
    for (const letter of literal) this.expect(letter);
  }

  /** The text between two positions, unless it is longer than anyone asks for. */
  decode(start: number, end: number, isEscaped: boolean): string | undefined {
    if (end - start > MAX_TEXT_CHARACTERS * MAX_CHARACTER_BYTES) return undefined;
    const written = this.#bytes.toString('utf8', start, end);
    const text = isEscaped ? String(JSON.parse(`"${written}"`)) : written;
    return text.length > MAX_TEXT_CHARACTERS ? undefined : text;
  }

  decodeNumber(start: number, end: number): number {
    return Number(this.#bytes.toString('latin1', start, end));
  }

  /** Throws a fault of this position; what is followed by nothing but white space was cut off. */
  fail(): never {
    const end = skipSpace(this.#bytes, this.position);
    const isAtEnd = end === this.#bytes.length;
    if (isAtEnd && !this.#isWhole) throw INCOMPLETE;
    throw new JsonFault(this.#offset + (isAtEnd ? end : this.position), isAtEnd);
  }

  #skipEscape(): void {
    const byte = this.peek();
    if (byte === undefined || !ESCAPES.has(byte)) this.fail();
    this.position += 1;
    if (byte !== LETTER_U) return;
    for (let digits = 0; digits < 4; digits += 1) {
      if (!isHexDigit(this.peek())) this.fail();
      this.position += 1;
    }
  }

  #skipNumber(): void {
    if (this.peek() === MINUS) this.position += 1;
    if (this.peek() === ZERO) this.position += 1;
    else this.#skipDigits();
    if (this.peek() === POINT) {
      this.position += 1;
      this.#skipDigits();
    }
    if (!EXPONENTS.has(this.peek() ?? 0)) return;
    this.position += 1;
    if (SIGNS.has(this.peek() ?? 0)) this.position += 1;
    this.#skipDigits();
  }

  #skipDigits(): void {
    if (!isDigit(this.peek())) this.fail();
    while (isDigit(this.peek())) this.position += 1;
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function isHexDigit(byte: number | undefined): boolean {
  return byte !== undefined && HEX_DIGITS.has(byte);
}
