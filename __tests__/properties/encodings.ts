/** Characters that System.Text.Json escapes: non-ASCII ones, and those with a meaning in HTML. */
const DOT_NET_JSON = /[^\x20-\x7e]|["&'+<>`]/g;
const NON_ASCII = /[\u007f-\uffff]/g;

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters and the names that ENT_HTML5 of PHP, escapeHtml4 of Java and he write. */
const NAMED =
  '!excl "quot #num $dollar %percnt &amp \'apos (lpar )rpar *ast +plus ,comma .period /sol :colon ' +
  ';semi <lt =equals >gt ?quest @commat [lbrack \\bsol ]rsqb ^Hat _lowbar `grave {lbrace |vert }rcub ' +
  '\tTab \u00a0nbsp \u00adshy \u00bdfrac12 \u00c9Eacute \u00e9eacute \u00ffyuml';
const NAMES = new Map(NAMED.split(' ').map((word) => [word.charAt(0), word.slice(1)]));

/** Encodings of services, logs and pages; written independently of src/report. */
export const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
  'plain text': (text) => text,
  'lower case': (text) => text.toLowerCase(),
  JSON: encodeJson,
  'JSON of Python': (text) => escapeUnits(encodeJson(text), NON_ASCII),
  'JSON of PHP': (text) => escapeUnits(encodeJson(text), NON_ASCII).replaceAll('/', '\\/'),
  'JSON with escaped slashes': (text) => encodeJson(text).replaceAll('/', '\\/'),
  'JSON of Go': (text) => escapeUnits(encodeJson(text), /[&<>]/g),
  'JSON of System.Text.Json': (text) =>
    escapeUnits(encodeJson(text).replaceAll('\\"', '"'), DOT_NET_JSON).replace(
      /(?<=\\u)[\da-f]{4}/g,
      (code) => code.toUpperCase(),
    ),
  'JSON of Symfony': (text) =>
    escapeUnits(JSON.stringify(text).slice(1, -1), /[<>'&\u007f-\uffff]/g)
      .replaceAll('\\"', String.raw`\u0022`)
      .replaceAll('/', '\\/'),
  'JSON with upper-case digits': (text) =>
    encodeJson(text).replace(/[^\x20-\x7e]|[+=/'<>&]/g, (unit) =>
      escapeUnit(unit).toUpperCase().replace('U', 'u'),
    ),
  'strings of OWASP': (text) =>
    text.replace(/[^\w ]/g, (unit) =>
      unit > '\u00ff' ? escapeUnit(unit) : `\\x${toHex(unit, 2)}`,
    ),
  'strings of PHP and Perl': (text) => text.replace(/["'\\$@]/g, String.raw`\$&`),
  'bytes of Python': (text) =>
    escapeBytes(text.replace(/['\\]/g, String.raw`\$&`), (byte) => `\\x${byte.toString(16)}`),
  'percent encoding of ISO 8859-1': (text) =>
    toLatin(text)
      .toString('latin1')
      .replace(/\W/g, (byte) => `%${toHex(byte, 2)}`),
  'UTF-8 read as ISO 8859-1': (text) => Buffer.from(text).toString('latin1'),
  'percent encoding': encodeURIComponent,
  'percent encoding in lower case': (text) =>
    encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'form encoding': (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  'form encoding of URLSearchParams': (text) =>
    new URLSearchParams({ a: text }).toString().slice('a='.length),
  'percent encoding of RFC 3986': (text) => encodeStrictly(text, '~'),
  'percent encoding of Python': (text) => encodeStrictly(text, '~/'),
  'percent encoding of paths by Go': (text) => encodeStrictly(text, '~$&+=:@'),
  'percent encoding of whole URLs': encodeURI,
  HTML: encodeHtml,
  'HTML of Go': (text) => encodeHtml(text).replaceAll('&quot;', '&#34;'),
  "HTML of Go's templates": (text) =>
    encodeHtml(text).replaceAll('&quot;', '&#34;').replaceAll('+', '&#43;'),
  'HTML of Python': (text) => encodeHtml(text).replaceAll('&#39;', '&#x27;'),
  'HTML of PHP': (text) => encodeHtml(text).replaceAll('&#39;', '&#039;'),
  'HTML of JSTL': (text) =>
    encodeHtml(text).replaceAll('&quot;', '&#034;').replaceAll('&#39;', '&#039;'),
  XML: (text) => encodeHtml(text).replaceAll('&#39;', '&apos;'),
  'HTML of Mustache': (text) =>
    encodeHtml(text).replace(/[/`=]/g, (unit) => `&#x${toHex(unit).toUpperCase()};`),
  'HTML of OWASP': (text) => text.replace(/[^\w ]/gu, (character) => `&#x${toHex(character)};`),
  'HTML with decimal numbers': (text) =>
    text.replace(/[^\w ]/gu, (character) => `&#${character.codePointAt(0)};`),
  'HTML with names': (text) =>
    text.replace(/[^]/g, (unit) => (NAMES.has(unit) ? `&${NAMES.get(unit)};` : unit)),
  'HTML of ASP.NET Core': encodeAspNetHtml,
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

/** The bytes of a text in a header, or in UTF-8 if no header can have it. */
function toLatin(text: string): Buffer {
  return Buffer.from(text, /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf8');
}

/** The bytes of a text in UTF-8, those that are not ASCII as escapes. */
function escapeBytes(text: string, escape: (byte: number) => string): string {
  const bytes = Buffer.from(text).toString('latin1');
  return bytes.replace(/[\x80-\xff]/g, (byte) => escape(byte.charCodeAt(0)));
}

/** Percent-encodes all except letters, digits, `-._` and the characters in `left`. */
function encodeStrictly(text: string, left: string): string {
  return Array.from(text, (character) => {
    if (/[\w.-]/.test(character) || left.includes(character)) return character;
    const bytes = [...Buffer.from(character)];
    return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  }).join('');
}

function encodeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => HTML[character] ?? character);
}

function encodeAspNetHtml(text: string): string {
  return encodeHtml(text)
    .replaceAll('&#39;', '&#x27;')
    .replace(/[+`\u{7f}-\u{10ffff}]/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return `&#x${code.toString(16).toUpperCase()};`;
    });
}
