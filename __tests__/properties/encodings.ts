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

/** Encodings of services, logs and pages; written independently of src/report/secret-forms.ts. */
export const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
  'plain text': (text) => text,
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
  return text.replace(units, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
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
