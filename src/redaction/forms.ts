import { unescape } from 'node:querystring';
import { joinWhiteSpace, stripInvisible } from '../text.ts';

/** Fewer characters of Base64 may occur by chance. */
const MIN_BASE64_CHARACTERS = 8;

/**
 * The texts in which a secret is looked for: as it is, in lower case, without its percent-encoding, with the spaces of a
 * form, with joined white space, and in Base64. What a text escapes, `readings` undoes.
 */
export function listForms(secret: string): readonly string[] {
  const plain = [secret, unescape(secret), secret.replaceAll(' ', '+'), joinWhiteSpace(secret)];
  const forms = [
    ...plain,
    ...plain.map((form) => form.toLowerCase()),
    ...[0, 1, 2].flatMap((offset) => listBase64(secret, offset)),
  ];
  return [...new Set(forms.map(stripInvisible))].filter((form) => form !== '');
}

/**
 * A secret in the Base64 of a longer text, in which it begins `offset` bytes after a group of three: the characters that
 * do not depend on the rest of the text. With an offset of 1, the first two (8 / 6, rounded up) have bits of the byte
 * before the secret.
 */
function listBase64(secret: string, offset: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const [start, end] = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)];
  if (end - start < MIN_BASE64_CHARACTERS) return [];
  return (['base64', 'base64url'] as const).map((name) => bytes.toString(name).slice(start, end));
}
