import { unescape } from 'node:querystring';

interface Encoding {
  readonly encode: (text: string) => string;
  /** How a reader may read a part of an encoded text. */
  readonly decode: (part: string) => readonly string[];
}

/** Encodings of services, logs and pages that are recognised; written independently of src/redaction. */
export const ENCODINGS: Readonly<Record<string, Encoding>> = {
  'plain text': { encode: (text) => text, decode: (part) => [part] },
  'lower case': { encode: (text) => text.toLowerCase(), decode: (part) => [part] },
  JSON: { encode: encodeJson, decode: decodeJson },
  'JSON of PHP': {
    encode: (text) => encodeJson(text).replace(/\//g, String.raw`\/`),
    decode: decodeJson,
  },
  'JSON of .NET': {
    encode: (text) => encodeJson(text, '"&\'+<>`', (code) => writeHex(code).toUpperCase()),
    decode: decodeJson,
  },
  'JSON of Go': { encode: (text) => encodeJson(text, '&<>', writeHex), decode: decodeJson },
  'JSON of Gson': { encode: (text) => encodeJson(text, "&'<=>", writeHex), decode: decodeJson },
  'JSON by number': { encode: (text) => escapeUnits(text, /[^]/g), decode: decodeJson },
  'logs of nginx': {
    encode: (text) => text.replace(/["\\]/g, (mark) => `\\x${writeHex(mark.charCodeAt(0))}`),
    decode: decodeJson,
  },
  'marks after backslashes': {
    encode: (text) => text.replace(/[^\da-z\t]/giu, String.raw`\$&`),
    decode: decodeJson,
  },
  'percent encoding': { encode: encodeURIComponent, decode: (part) => [unescape(part)] },
  'percent encoding of .NET': {
    encode: (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
    decode: (part) => [unescape(part)],
  },
  'percent encoding of RFC 3986': {
    encode: (text) => encodeUrl(text),
    decode: (part) => [unescape(part)],
  },
  'percent encoding of Python': {
    encode: (text) => encodeUrl(text).replace(/%2F/g, '/'),
    decode: (part) => [unescape(part)],
  },
  'form encoding': {
    encode: (text) => new URLSearchParams({ '': text }).toString().slice(1),
    decode: (part) => [unescape(part.replace(/\+/g, ' '))],
  },
  HTML: {
    encode: (text) => escapeHtml(text, { '"': '&quot;', "'": '&#39;' }),
    decode: decodeHtml,
  },
  'HTML of Go': {
    encode: (text) => escapeHtml(text, { '"': '&#34;', "'": '&#39;', '+': '&#43;' }),
    decode: decodeHtml,
  },
  'HTML of PHP': {
    encode: (text) => escapeHtml(text, { '"': '&quot;', "'": '&#039;' }),
    decode: decodeHtml,
  },
  'HTML of OWASP': {
    encode: (text) => escapeHtml(text, { '"': '&quot;', "'": '&#x27;', '/': '&#x2F;' }),
    decode: decodeHtml,
  },
  'HTML by number': {
    encode: (text) => text.replace(/[^\da-z]/giu, (mark) => `&#${pad(mark.codePointAt(0))};`),
    decode: decodeHtml,
  },
  'HTML by hexadecimal number': {
    encode: (text) => text.replace(/[^\da-z]/giu, (mark) => `&#x${pad(mark.codePointAt(0), 16)};`),
    decode: decodeHtml,
  },
  'HTML by name': {
    encode: (text) => text.replace(/[^\da-z]/gi, (mark) => HTML_NAMES[mark] ?? mark),
    decode: decodeHtml,
  },
  Base64: { encode: (text) => Buffer.from(text).toString('base64'), decode: decodeBase64 },
  'Base64 one byte later': {
    encode: (text) => Buffer.from(`-${text}-`).toString('base64'),
    decode: decodeBase64,
  },
  'Base64 two bytes later': {
    encode: (text) => Buffer.from(`--${text}-`).toString('base64'),
    decode: decodeBase64,
  },
  'Base64 for URLs': {
    encode: (text) => Buffer.from(text).toString('base64url'),
    decode: decodeBase64,
  },
};

/** Writes UTF-16 code units as JSON may escape them: `\u00e9`. */
export function escapeUnits(text: string, units: RegExp): string {
  return text.replace(units, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Percent encoding of all that RFC 3986 does not leave as it is. */
function encodeUrl(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => {
    return `%${writeHex(mark.charCodeAt(0)).toUpperCase()}`;
  });
}

/** JSON in which some characters are escaped by number. */
function encodeJson(text: string, escaped = '', write = writeHex): string {
  return Array.from(text, (each) => {
    const isEscaped = escaped.includes(each);
    return isEscaped ? `\\u00${write(each.charCodeAt(0))}` : JSON.stringify(each).slice(1, -1);
  }).join('');
}

function writeHex(code: number): string {
  return code.toString(16);
}

/** A code as HTML may write it, with zeros before it. */
function pad(code = 0, radix = 10): string {
  return code.toString(radix).padStart(8, '0');
}

function decodeJson(part: string): readonly string[] {
  const numbered = part.replace(/\\(?:u00|x)([\da-f]{2})/gi, (_, code: string) => readHex(code));
  const spaced = numbered.replace(/\\n/g, '\n').replace(/\\t/g, '\t');
  return [spaced.replace(/\\(.)/g, '$1')];
}

function readHex(code: string): string {
  return String.fromCodePoint(Number.parseInt(code, 16));
}

const HTML = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const HTML_NAMES: Readonly<Record<string, string>> = {
  ...HTML,
  '"': '&quot;',
  "'": '&apos;',
  '+': '&plus;',
  '/': '&sol;',
  '=': '&equals;',
};

function escapeHtml(text: string, marks: Readonly<Record<string, string>>): string {
  const all: Readonly<Record<string, string>> = { ...HTML, ...marks };
  return Array.from(text, (mark) => all[mark] ?? mark).join('');
}

function decodeHtml(part: string): readonly string[] {
  const numbered = part
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => readHex(code))
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
  const marks = Object.entries(HTML_NAMES).toReversed();
  return [marks.reduce((text, [mark, name]) => text.replaceAll(name, mark), numbered)];
}

/** It may begin anywhere in a group of four. */
function decodeBase64(part: string): readonly string[] {
  return [0, 1, 2, 3].map((start) => Buffer.from(part.slice(start), 'base64').toString('latin1'));
}
