/** A text as one line, with one space for whatever white space there is. */
export function joinWhiteSpace(text: string): string {
  return text.replace(/[\s\u0085]+/g, ' ').trim();
}
