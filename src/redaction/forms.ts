import { unescape } from 'node:querystring';
import { stripInvisible } from '../text.ts';

/** Fewer characters of Base64 may occur by chance. */
const MIN_BASE64_CHARACTERS = 8;

/** The characters that encoders escape: all, and those of PHP, Go, most, .NET, Python, Gson, OWASP, and Mustache. */
const ESCAPED = [
  /[^\dA-Za-z]/,
  /\//,
  /[&<>]/,
  /["&'<>]/,
  /["&'+<>`]|[^ -~]/,
  /[^ -~]/,
  /[&'<=>]/,
  /["&'/<>]/,
  /["&'/<=>`]/,
];
/** Characters with names in HTML. Of those that they escape, encoders write by their names the first 0, 3, 4 or all. */
const MARKS = '&<>"!#$%\'()*+,./:;=?@[\\]^_`{|}';
const NAMES =
  'amp lt gt quot excl num dollar percnt apos lpar rpar ast plus comma period sol colon semi equals quest commat lsqb bsol rsqb Hat lowbar grave lcub vert rcub'.split(
    ' ',
  );

/** The marks that encoders leave in URLs: those of JavaScript, most, forms, Python, Go, and .NET. */
const LEFT_IN_URLS = ["-._~!*'()", '-._~', '-._*', '-._~/', '-._~$&+=:@', '-._!*()'];

/** What is no letter or digit. */
const MARK = /[^\dA-Za-z]/gu;

const NAMED = [0, 3, 4, MARKS.length];

type Write = (character: string) => string;

/** A secret as services, logs and pages write it: as it is, in lower case, in URLs, JSON, HTML and Base64. */
export function listForms(secret: string): readonly string[] {
  const forms = [
    secret,
    secret.toLowerCase(),
    unescape(secret),
    JSON.stringify(secret).slice(1, -1),
    ...LEFT_IN_URLS.flatMap((marks) => listPercentEncoded(secret, marks)),
    ...listEscaped(secret),
    ...[0, 1, 2].flatMap((offset) => listBase64(secret, offset)),
  ];
  return [...new Set(forms.map(stripInvisible))].filter((form) => form !== '');
}

/** A secret with its bytes, but for letters, digits and `left`, as URLs have them, in either case and with the spaces of a form. */
function listPercentEncoded(secret: string, left: string): readonly string[] {
  const bytes = Buffer.from(secret).toString('latin1');
  const url = bytes.replace(MARK, (byte) => {
    return left.includes(byte) ? byte : `%${writeHex(byte.charCodeAt(0)).padStart(2, '0')}`;
  });
  const cases = [url, url.replace(/%../g, (code) => code.toLowerCase())];
  return cases.flatMap((each) => [each, each.replaceAll('%20', '+')]);
}

/** A secret with some characters as JSON and HTML may escape them. */
function listEscaped(secret: string): readonly string[] {
  const ofJson: readonly Write[] = [
    (character) => `\\${character}`,
    writeUnits,
    (character) => writeUnits(character).toLowerCase(),
  ];
  const ofHtml = NAMED.flatMap((named): readonly Write[] => [
    (character) => writeReference(character, named, (code) => String(code)),
    (character) => writeReference(character, named, (code) => `x${writeHex(code)}`),
    (character) => writeReference(character, named, (code) => `x${writeHex(code).toLowerCase()}`),
  ]);
  const marks = Array.from(new Set(secret.match(MARK)));
  const choices = ESCAPED.map((escaped) => marks.filter((mark) => escaped.test(mark)).join(''));
  return [...new Set(choices)].flatMap((chosen) => {
    const escape = (write: Write, writeOther: Write): string =>
      secret.replace(MARK, (mark) => (chosen.includes(mark) ? write(mark) : writeOther(mark)));
    return [
      ...ofJson.map((write) => escape(write, writeJson)),
      ...ofHtml.map((write) => escape(write, (mark) => mark)),
    ];
  });
}

function writeJson(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}

/** A character as JSON escapes it by number: `\u002B`. */
function writeUnits(character: string): string {
  const units = character.split('').map((unit) => writeHex(unit.charCodeAt(0)).padStart(4, '0'));
  return units.map((unit) => `\\u${unit}`).join('');
}

/** A character as HTML escapes it: by its name, or by its number. */
function writeReference(
  character: string,
  named: number,
  writeNumber: (code: number) => string,
): string {
  const name = NAMES.slice(0, named)[MARKS.indexOf(character)];
  return `&${name ?? `#${writeNumber(character.codePointAt(0) ?? 0)}`};`;
}

function writeHex(code: number): string {
  return code.toString(16).toUpperCase();
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
