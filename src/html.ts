/** The names of references that XML and nearly all error pages use. */
const NAMES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);
/** A reference to a character in HTML or XML. HTML allows numbers without a semicolon. */
const REFERENCE = /&(?:#\d+;?|#x[\da-f]+;?|[a-z]+;)/gi;

/** A text with the characters in place of the references to them; unknown references stay. */
export function decodeReferences(text: string): string {
  return text.replace(REFERENCE, (reference) => {
    const name = reference.slice(1).replace(';', '').toLowerCase();
    if (!name.startsWith('#')) return NAMES.get(name) ?? reference;
    const code = Number(name.replace('#', '').replace('x', '0x'));
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : reference;
  });
}
