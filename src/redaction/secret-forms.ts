/** Shorter parts of an encoded secret are not searched for, because they may occur by chance. */
const MIN_PIECE_BYTES = 8;

/** Reads ISO 8859-1 as browsers and `TextDecoder` do, namely as Windows-1252. */
const WINDOWS_1252 = new TextDecoder('windows-1252');

/**
 * Lists the texts to search for, besides their escapes: the secret in every charset in which a service may
 * read or write it, also with the spaces of a form, in Base64 and in hexadecimal digits.
 */
export function listForms(secret: string): readonly string[] {
  const isLatin = /^[\0-\xff]*$/.test(secret);
  // UTF-8, and ISO 8859-1, in which Node.js sends headers.
  const encoded = [Buffer.from(secret), ...(isLatin ? [Buffer.from(secret, 'latin1')] : [])];
  const texts = [secret, ...encoded.flatMap(readBytes)];
  return [
    ...texts,
    ...texts.map((text) => text.replaceAll(' ', '+')),
    ...encoded.flatMap(listDigits),
  ];
}

function readBytes(bytes: Buffer): readonly string[] {
  return [bytes.toString(), bytes.toString('latin1'), WINDOWS_1252.decode(bytes)];
}

function listDigits(bytes: Buffer): readonly string[] {
  const digits = bytes.length < MIN_PIECE_BYTES ? [] : [bytes.toString('hex')];
  return [...listBase64(bytes), ...digits.flatMap((text) => [text, text.toUpperCase()])];
}

/**
 * Inside a longer text Base64 has three forms, one for each alignment; the characters that also depend on
 * the text around the secret are left out. The alphabet for URLs has two other characters (RFC 4648,
 * section 5).
 */
function listBase64(bytes: Buffer): readonly string[] {
  const aligned = [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const whole = Math.floor((shifted.length * 8) / 6);
    return shifted.toString('base64').slice(Math.ceil((offset * 8) / 6), whole);
  });
  const pieces = aligned.filter((piece) => piece.length >= MIN_PIECE_BYTES);
  const padded = bytes.toString('base64');
  return [padded, padded.replace(/=+$/, ''), ...pieces].flatMap((text) => [
    text,
    text.replaceAll('+', '-').replaceAll('/', '_'),
  ]);
}
