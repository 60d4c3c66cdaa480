import { describe, expect, test } from '@jest/globals';
import { decodeNamedCharacterReference } from 'decode-named-character-reference';
import { decodeReferences } from '../src/html.ts';

/** Names of Latin-1 and ASCII in HTML 4 and XML, as `htmlentities` of PHP and `escapeHtml4` of Java write them. */
const NAMES =
  'amp lt gt quot apos nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn ' +
  'sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde ' +
  'Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde ' +
  'Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil ' +
  'egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave ' +
  'uacute ucirc uuml yacute thorn yuml';
/** Punctuation, as HTML 5 names it. */
const MARKS =
  'Tab NewLine excl num dollar percnt lpar rpar ast plus comma period sol colon semi equals quest commat lbrack bsol ' +
  'rsqb Hat lowbar grave lbrace vert rcub ndash mdash lsquo rsquo sbquo ldquo rdquo bdquo lsaquo rsaquo hellip bull ' +
  'euro trade';

describe('decodeReferences', () => {
  test.each([...NAMES.split(' '), ...MARKS.split(' ')])('knows the character of %s', (name) => {
    const character = decodeNamedCharacterReference(name);
    expect(character).toHaveLength(1);
    expect(decodeReferences(`&${name};&${name};`)).toBe(`${character}${character}`);
  });

  test.each([
    ['numbers', '&#65;&#065;&#x41;&#X41;&#x1F511;', 'AAAA🔑'],
    ['numbers without a semicolon', '&#65 &#x41 &#65b', 'A A Ab'],
    ['each reference once', '&amp;amp;', '&amp;'],
    ['half a character', '&#xD83D;&#xDD11;', '🔑'],
  ])('decodes %s', (_, text, decoded) => {
    expect(decodeReferences(text)).toBe(decoded);
  });

  test.each([
    '& &; &#; &#x; &amp &unknown; &Amp; &constructor; &xconstructor; &+grave; &eeacute; &1acute;',
    '&#1114112; &#x110000; &#99999999999999999999; &#x;',
  ])('keeps what is no reference: %#', (text) => {
    expect(decodeReferences(text)).toBe(text);
  });
});
