/**
 * What HTML names: ASCII's marks, characters from U+00A0 to U+00FF (a header has no others), and the punctuation of
 * error pages. Each word is a character and its name; after a `+` the end of a name that is a letter with an accent.
 */
const WORDS =
  '\tTab \nNewLine !excl "quot #num $dollar %percnt &amp \'apos (lpar )rpar *ast +plus ,comma .period /sol :colon ' +
  ';semi <lt =equals >gt ?quest @commat [lbrack \\bsol ]rsqb ^Hat _lowbar `grave {lbrace |vert }rcub \u00a0nbsp ¡iexcl ' +
  '¢cent £pound ¤curren ¥yen ¦brvbar §sect ¨uml ©copy ªordf «laquo ¬not \u00adshy ®reg ¯macr °deg ±plusmn ²sup2 ³sup3 ' +
  '´acute µmicro ¶para ·middot ¸cedil ¹sup1 ºordm »raquo ¼frac14 ½frac12 ¾frac34 ¿iquest ÆAElig ÐETH ×times ØOslash ' +
  'ÞTHORN ßszlig æaelig ðeth ÷divide øoslash þthorn –ndash —mdash ‘lsquo ’rsquo ‚sbquo “ldquo ”rdquo „bdquo ‹lsaquo ' +
  '›rsaquo …hellip •bull €euro ™trade \u0300+grave \u0301+acute \u0302+circ \u0303+tilde \u0308+uml \u030a+ring \u0327+cedil';
const NAMES = new Map(WORDS.split(' ').map((word) => [word.slice(1), word.charAt(0)]));

/** A reference to a character in HTML or XML, as a group. HTML allows numbers without a semicolon. */
export const HTML_REFERENCE = /(&(?:#\d+;?|#x[\da-f]+;?|[a-z]+\d*;))/gi;

/** A text with the characters in place of the references to them; unknown references stay. */
export function decodeReferences(text: string): string {
  return text.replace(HTML_REFERENCE, (reference: string) => {
    const name = reference.replace(/^&|;$/g, '');
    const code = Number(name.replace(/^#/, '').replace(/^x/i, '0x'));
    if (name.startsWith('#')) return code <= 0x10_ff_ff ? String.fromCodePoint(code) : reference;
    const accent = NAMES.get(`+${name.slice(1)}`);
    return (
      NAMES.get(name) ?? (accent && `${name.charAt(0)}${accent}`.normalize('NFC')) ?? reference
    );
  });
}
