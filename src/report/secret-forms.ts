/** Shorter pieces of an encoded secret are too common to be looked for. */
const MIN_PIECE_CHARACTERS = 8;

/**
 * A secret as it is, and as services and our own outputs encode what they repeat: JSON (also as .NET
 * writes it), percent and form encoding, HTML, and Base64 wherever in a longer text it stood.
 */
export function listForms(secret: string): readonly string[] {
  const percent = encodeURIComponent(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    escapeLikeDotNet(json),
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    escapeHtml(secret),
    ...listBase64(secret),
  ];
  return [...new Set(forms)];
}

/** System.Text.Json escapes these by default, although JSON does not ask for it. */
function escapeLikeDotNet(json: string): string {
  return json.replace(
    /[+&<>'`]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}

function escapeHtml(text: string): string {
  const references = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return Object.entries(references).reduce(
    (escaped, [character, reference]) => escaped.replaceAll(character, reference),
    text,
  );
}

/** Base64 looks different for each of three alignments; the characters at the seams are left out. */
function listBase64(secret: string): readonly string[] {
  const aligned = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const whole = Math.floor((bytes.length * 8) / 6);
    return bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), whole);
  });
  const pieces = aligned.filter((piece) => piece.length >= MIN_PIECE_CHARACTERS);
  return [Buffer.from(secret).toString('base64'), ...pieces];
}
