/** Shorter pieces of an encoded secret are too common to be looked for. */
const MIN_PIECE_BYTES = 8;

/**
 * A secret and the forms of it that no decoding of escapes leads back to: with `+` for a space, Base64
 * wherever in a longer text the secret stood, and hexadecimal digits.
 */
export function listForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const digits = bytes.length < MIN_PIECE_BYTES ? [] : [bytes.toString('hex')];
  return [
    ...new Set([
      secret,
      secret.replaceAll(' ', '+'),
      ...listBase64(bytes),
      ...digits.flatMap((text) => [text, text.toUpperCase()]),
    ]),
  ];
}

/**
 * Base64 looks different for each of three alignments; the characters at the seams are left out. In
 * the alphabet for URLs (RFC 4648, section 5) two of its characters are others.
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
