/** Characters and the names that ENT_HTML5 of PHP, escapeHtml4 of Java and he write. */
const NAMED =
  '!excl "quot #num $dollar %percnt &amp \'apos (lpar )rpar *ast +plus ,comma .period /sol :colon ' +
  ';semi <lt =equals >gt ?quest @commat [lbrack \\bsol ]rsqb ^Hat _lowbar `grave {lbrace |vert }rcub ' +
  '\tTab \u00a0nbsp \u00adshy \u00bdfrac12 \u00c9Eacute \u00e9eacute \u00ffyuml';
const NAMES = new Map(NAMED.split(' ').map((word) => [word.charAt(0), `&${word.slice(1)};`]));

/** Encodings of services, logs and pages, which others combine; written independently of src/redaction. */
export const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
  'plain text': (text) => text,
  'lower case': (text) => text.toLowerCase(),
  JSON: encodeJson,
  'JSON of PHP': (text) => escapeUnits(encodeJson(text), /[\u007f-\uffff]/g).replaceAll('/', '\\/'),
  'JSON with upper-case digits': (text) =>
    encodeJson(text).replace(
      /[^\x20-\x7e]|[+=/'<>&]/g,
      (unit) => `\\u${toHex(unit, 4).toUpperCase()}`,
    ),
  'strings of OWASP': (text) =>
    text.replace(/[^\w ]/g, (unit) =>
      unit > '\u00ff' ? escapeUnit(unit) : `\\x${toHex(unit, 2)}`,
    ),
  'strings of PHP and Perl': (text) => text.replace(/["'\\$@]/g, String.raw`\$&`),
  'bytes of Python': (text) =>
    readAsLatin(text.replace(/['\\]/g, String.raw`\$&`)).replace(
      /[\x80-\xff]/g,
      (byte) => `\\x${toHex(byte)}`,
    ),
  'UTF-8 read as ISO 8859-1': readAsLatin,
  'percent encoding of ISO 8859-1': (text) =>
    (/^[\0-\xff]*$/.test(text) ? text : readAsLatin(text)).replace(
      /\W/g,
      (byte) => `%${toHex(byte, 2)}`,
    ),
  'percent encoding': encodeURIComponent,
  'percent encoding in lower case': (text) =>
    encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'percent encoding of whole URLs': encodeURI,
  'form encoding': (text) => new URLSearchParams({ a: text }).toString().slice('a='.length),
  HTML: (text) => text.replace(/[&<>"']/g, (unit) => NAMES.get(unit) ?? ''),
  'HTML with names': (text) => text.replace(/[^]/g, (unit) => NAMES.get(unit) ?? unit),
  'HTML with decimal numbers': (text) =>
    text.replace(/[^\w ]/gu, (character) => `&#0${character.codePointAt(0)};`),
  'HTML with hexadecimal numbers': (text) =>
    text.replace(/[^\w ]/gu, (character) => `&#x${toHex(character)};`),
  'HTML of ASP.NET Core': (text) =>
    text.replace(
      /["&'+<>`\u{7f}-\u{10ffff}]/gu,
      (character) => `&#x${toHex(character).toUpperCase()};`,
    ),
  Base64: (text) => Buffer.from(text).toString('base64'),
  'Base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
};

/** A text in every encoding, each form once. */
export function listForms(text: string): readonly string[] {
  return [...new Set(Object.values(ENCODERS).map((encode) => encode(text)))];
}

function encodeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Writes UTF-16 code units as JSON may escape them: `\u00e9`. */
export function escapeUnits(text: string, units: RegExp): string {
  return text.replace(units, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${toHex(unit, 4)}`;
}

function toHex(character: string, digits = 1): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(digits, '0');
}

/** The bytes of a text in UTF-8, a character each. */
function readAsLatin(text: string): string {
  return Buffer.from(text).toString('latin1');
}
