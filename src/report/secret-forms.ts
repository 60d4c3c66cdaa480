/** Shorter parts of an encoded secret are not searched for, because they may occur by chance. */
const MIN_PIECE_BYTES = 8;

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

/**
 * Lists the forms in which services, logs and pages usually repeat a secret: unchanged, escaped for JSON,
 * URLs, forms and HTML, in Base64 and in hexadecimal digits.
 */
export function listForms(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const bytes = Buffer.from(secret);
  const digits = bytes.length < MIN_PIECE_BYTES ? [] : [bytes.toString('hex')];
  return [
    ...new Set([
      secret,
      ...listJson(json),
      ...listPercent(secret),
      ...listHtml(secret),
      ...listBase64(bytes),
      ...digits.flatMap((text) => [text, text.toUpperCase()]),
    ]),
  ];
}

/** JSON as JavaScript, Python, PHP, Go and .NET write it. */
function listJson(json: string): readonly string[] {
  const ascii = escapeUnits(json, /[\u007f-\uffff]/g);
  // .NET (JavaScriptEncoder.Default) escapes a quote as a code, like every character with a meaning in HTML.
  const dotNet = escapeUnits(json.replaceAll('\\"', '"'), /["&'+<>`\u007f-\uffff]/g, true);
  const slashes = [json, ascii].map((text) => text.replaceAll('/', '\\/'));
  return [
    json,
    ascii,
    ...slashes,
    escapeUnits(json, /[&<>]/g),
    escapeUnits(json, /[&<>'=]/g),
    dotNet,
  ];
}

function escapeUnits(text: string, units: RegExp, isUpperCase = false): string {
  return text.replace(units, (unit) => {
    const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${isUpperCase ? code.toUpperCase() : code}`;
  });
}

/** The characters that encoders do not escape: RFC 3986, JavaScript, forms, Python, Go's paths, `encodeURI`. */
const UNESCAPED = ['~', "~!'()*", '*', '~/', '~$&+=:@', "~!'()*;/?:@&=+$,#"];

function listPercent(secret: string): readonly string[] {
  // A lone surrogate cannot be encoded, and no connection can carry it.
  const encoded = encodeURIComponent(secret.toWellFormed()).replace(
    /[~!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return UNESCAPED.flatMap((left) => {
    const text = encoded.replace(/%[2-7]./g, (code) => {
      const character = decodeURIComponent(code);
      return left.includes(character) ? character : code;
    });
    const lowerCase = text.replace(/%../g, (code) => code.toLowerCase());
    return [text, lowerCase].flatMap((each) => [each, each.replaceAll('%20', '+')]);
  });
}

/** The forms of HTML encoders, which differ in quotes and `+`. ASP.NET Core also escapes everything but ASCII. */
function listHtml(secret: string): readonly string[] {
  const few = secret.replace(/[&<>]/g, (character) => HTML[character] ?? character);
  const quoted = ['&quot;', '&#34;'].map((quote) => few.replaceAll('"', quote));
  const marked = quoted.flatMap((text) =>
    ["'", '&#39;', '&#x27;'].map((mark) => text.replaceAll("'", mark)),
  );
  const numbered = few
    .replaceAll('"', '&quot;')
    .replace(/['+`\u{7f}-\u{10ffff}]/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return `&#x${code.toString(16).toUpperCase()};`;
    });
  return [...marked.flatMap((text) => [text, text.replaceAll('+', '&#43;')]), numbered];
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
