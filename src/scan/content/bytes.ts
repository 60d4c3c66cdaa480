import { isUtf8 } from 'node:buffer';

/** What the characters of several bytes begin with (RFC 3629). */
const FIRST_LEAD = 0xc2;
const LAST_LEAD = 0xf4;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Bytes of the UTF-8 byte order mark at the beginning. */
export function countMarkBytes(bytes: Buffer): number {
  const length = BYTE_ORDER_MARK.length;
  return bytes.subarray(0, length).equals(BYTE_ORDER_MARK) ? length : 0;
}

/** White space of JSON and XML. */
function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Where the first byte is that is no white space, at or behind `start`; the length if there is none. */
export function skipSpace(bytes: Buffer, start: number): number {
  let position = start;
  while (isSpace(bytes[position])) position += 1;
  return position;
}

/** The bytes up to the white space at their end. */
export function trimEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && isSpace(bytes[end - 1])) end -= 1;
  return bytes.subarray(0, end);
}

/** Looks at bytes that arrive in pieces for the first that are no UTF-8. */
export class Utf8Check {
  /** Where they are in the file; undefined while there are none. */
  invalidAt: number | undefined;
  /** The beginning of a character whose end is in the next piece. */
  #rest: Buffer = Buffer.alloc(0);
  #offset: number;

  /** The first piece begins at the byte `offset` of the file. */
  constructor(offset: number) {
    this.#offset = offset;
  }

  push(piece: Buffer): void {
    if (this.invalidAt !== undefined) return;
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    const end = findLastStart(bytes);
    this.#check(bytes.subarray(0, end));
    this.#rest = Buffer.from(bytes.subarray(end));
  }

  /** Looks at what is left after the last piece. */
  end(): void {
    this.#check(this.#rest);
  }

  #check(bytes: Buffer): void {
    if (this.invalidAt !== undefined) return;
    if (isUtf8(bytes)) this.#offset += bytes.length;
    else this.invalidAt = this.#offset + countValid(bytes);
  }
}

/** Where the last character begins that may not be complete; the length if all are. */
function findLastStart(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= FIRST_LEAD && byte <= LAST_LEAD) return bytes.length - back;
    if (byte < 0x80) break;
  }
  return bytes.length;
}

/** Invalid bytes are decoded as U+FFFD, which may also be there itself. */
function countValid(bytes: Buffer): number {
  let offset = 0;
  for (const character of bytes.toString('utf8')) {
    const encoded = Buffer.from(character);
    if (!bytes.subarray(offset, offset + encoded.length).equals(encoded)) break;
    offset += encoded.length;
  }
  return offset;
}
