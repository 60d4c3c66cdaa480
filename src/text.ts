/** A text as one line, with one space for whatever white space there is. */
export function joinWhiteSpace(text: string): string {
  return text.replace(/[\s\u0085]+/g, ' ').trim();
}

/** The lines of a text, whatever ends them. */
export function splitLines(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/** The first of many texts, and how many more there are: `a, b and 3 more`. */
export function listSome(texts: readonly string[], most: number): string {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** RFC 9110, section 5.5: visible characters, spaces and tabs; nothing that could end the line. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;

/** Whether a text can be sent as a header field's value. */
export function isFieldValue(text: string): boolean {
  return FIELD_VALUE.test(text);
}

/**
 * Takes invisible characters and secrets out of a text from outside. Every such text goes through it
 * where it comes in; everything after works on clean texts.
 */
export type Clean = (text: string) => string;
