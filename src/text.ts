/** A text as one line, with one space for whatever white space there is. */
export function joinWhiteSpace(text: string): string {
  return text.replace(/[\s\u0085]+/g, ' ').trim();
}

/**
 * Whether a text has visible characters of ASCII, spaces, tabs and line ends (\n) alone. Most texts
 * have, and then no expression with a class of Unicode need be compiled, which takes 0.3 to 1 ms each.
 */
export function isPlainAscii(text: string): boolean {
  return !/[^\t\n -~]/.test(text);
}
