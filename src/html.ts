/**
 * The names that HTML has for the characters up to U+00FF (a header carries no others), and for the punctuation
 * of error pages. Each word is a character and its name.
 */
const WORDS = [
  '\tTab \nNewLine !excl "QUOT "quot #num $dollar %percnt &AMP &amp \'apos (lpar )rpar *ast',
  '*midast +plus ,comma .period /sol :colon ;semi <LT <lt =equals >GT >gt ?quest @commat',
  '[lbrack [lsqb \\bsol ]rbrack ]rsqb ^Hat _UnderBar _lowbar `DiacriticalGrave `grave {lbrace',
  '{lcub |VerticalLine |verbar |vert }rbrace }rcub \u00a0NonBreakingSpace \u00a0nbsp ¡iexcl',
  '¢cent £pound ¤curren ¥yen ¦brvbar §sect ¨Dot ¨DoubleDot ¨die ¨uml ©COPY ©copy ªordf «laquo',
  '¬not \u00adshy ®REG ®circledR ®reg ¯macr ¯strns °deg ±PlusMinus ±plusmn ±pm ²sup2 ³sup3',
  '´DiacriticalAcute ´acute µmicro ¶para ·CenterDot ·centerdot ·middot ¸Cedilla ¸cedil ¹sup1',
  'ºordm »raquo ¼frac14 ½frac12 ½half ¾frac34 ¿iquest ÀAgrave ÁAacute ÂAcirc ÃAtilde ÄAuml',
  'ÅAring Åangst ÆAElig ÇCcedil ÈEgrave ÉEacute ÊEcirc ËEuml ÌIgrave ÍIacute ÎIcirc ÏIuml ÐETH',
  'ÑNtilde ÒOgrave ÓOacute ÔOcirc ÕOtilde ÖOuml ×times ØOslash ÙUgrave ÚUacute ÛUcirc ÜUuml',
  'ÝYacute ÞTHORN ßszlig àagrave áaacute âacirc ãatilde äauml åaring æaelig çccedil èegrave',
  'éeacute êecirc ëeuml ìigrave íiacute îicirc ïiuml ðeth ñntilde òograve óoacute ôocirc',
  'õotilde öouml ÷div ÷divide øoslash ùugrave úuacute ûucirc üuuml ýyacute þthorn ÿyuml',
  '–ndash —mdash ‘lsquo ’rsquo ‚sbquo “ldquo ”rdquo „bdquo ‹lsaquo ›rsaquo …hellip •bull €euro ™trade',
];

/** The characters by their names. */
export const HTML_NAMES: ReadonlyMap<string, string> = new Map(
  WORDS.flatMap((line) => line.split(' ')).map((word) => [word.slice(1), word.charAt(0)]),
);

/** A reference to a character in HTML or XML: decimal, hexadecimal, or by its name. HTML allows numbers without a semicolon. */
export const HTML_REFERENCE = /&(?:#(\d+);?|#x([\da-f]+);?|([a-z]+\d*);)/gi;

/** The character of a reference, of which the groups are given; undefined if there is none. */
export function readReference(
  decimal: string | undefined,
  hex: string | undefined,
  name = '',
): string | undefined {
  return parseCode(decimal, 10) ?? parseCode(hex, 16) ?? HTML_NAMES.get(name);
}

/** The character with this number; undefined if there is none. */
export function parseCode(digits: string | undefined, radix: number): string | undefined {
  const code = Number.parseInt(digits ?? '', radix);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined;
}
