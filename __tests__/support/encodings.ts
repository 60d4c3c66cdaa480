/** Shorter pieces of an encoded secret are too common to be looked for. */
const MIN_PIECE_CHARACTERS = 8;

/** What System.Text.Json writes as a code, a quote too. */
const DOT_NET_JSON = /["&'+<>`\u007f-\uffff]/;
/** What is no ASCII, which Python and PHP escape in JSON. */
const NON_ASCII = /[\u007f-\uffff]/g;
/** What Go escapes in JSON. */
const GO_JSON = /[&<>]/g;

/**
 * Written down independently of what is looked for: a secret as it is, and as services and our own outputs encode what they repeat: JSON of several
 * makes, percent and form encoding, HTML, and Base64 wherever in a longer text it stood.
 */
export function listForms(secret: string): readonly string[] {
  // Half a character cannot be encoded, and no connection can carry it.
  const percent = encodeURIComponent(secret.toWellFormed());
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replace(NON_ASCII, escapeUnit);
  const forms = [
    secret,
    json,
    ascii,
    ...[json, ascii].map((text) => text.replaceAll('/', '\\/')),
    json.replace(GO_JSON, escapeUnit),
    escapeJsonLikeDotNet(secret),
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    new URLSearchParams({ '': secret }).toString().slice(1),
    escapeHtml(secret),
    escapeHtmlLikeDotNet(secret),
    ...listBase64(secret),
  ];
  return [...new Set(forms)];
}

/** One UTF-16 code unit as JSON may escape it: `\u00e9`. */
function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function escapeJsonLikeDotNet(text: string): string {
  return text.replace(/[^]/g, (unit) =>
    DOT_NET_JSON.test(unit)
      ? `\\u${escapeUnit(unit).slice(2).toUpperCase()}`
      : JSON.stringify(unit).slice(1, -1),
  );
}

function escapeHtml(text: string): string {
  const references = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return Object.entries(references).reduce(
    (escaped, [character, reference]) => escaped.replaceAll(character, reference),
    text,
  );
}

/** ASP.NET Core's encoder has its own mind of `'` and `+`, and escapes what is no ASCII. */
function escapeHtmlLikeDotNet(text: string): string {
  return escapeHtml(text)
    .replaceAll('&#39;', '&#x27;')
    .replace(/[+`\u{7f}-\u{10ffff}]/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return `&#x${code.toString(16).toUpperCase()};`;
    });
}

/** Base64 looks different for each of three alignments; the characters at the seams are left out. */
function listBase64(secret: string): readonly string[] {
  const aligned = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const whole = Math.floor((bytes.length * 8) / 6);
    return bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), whole);
  });
  const pieces = aligned.filter((piece) => piece.length >= MIN_PIECE_CHARACTERS);
  return [Buffer.from(secret).toString('base64'), ...pieces].flatMap((text) => [
    text,
    // RFC 4648, section 5: the alphabet for URLs.
    text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
  ]);
}
