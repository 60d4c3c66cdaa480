import { describe, expect, test } from '@jest/globals';
import { scanXml } from '../src/xml-tags.ts';
import { evaluate } from './support/evaluate.ts';

/** The fault of a text, if it has one, and its elements as they end: path, text, and `+` for elements in it. */
function scan(text: string): readonly string[] {
  const elements: string[] = [];
  const fault = scanXml(text, ({ path, text: inside, hasElements }) => {
    elements.push(`${path}=${inside}${hasElements ? '+' : ''}`);
  });
  const place = fault?.kind === 'malformed' ? ` at ${fault.position}` : '';
  return fault === undefined ? elements : [`${fault.kind}${place}`, ...elements];
}

/** A text with so many tags and comments, without end tags. */
function writeMarkup(count: number): string {
  return `<a>${'<b></b>'.repeat(1000)}${'<!---->'.repeat(count - 1001)}</a>`;
}

const TRUNCATED = 'truncated';

const LONG = 'n'.repeat(200);

describe('scanXml', () => {
  test.each<[string, ...string[]]>([
    ['<a/>', 'a='],
    ['\ufeff<?xml version="1.0"?>\n<!DOCTYPE a><a x="1">\n t </a>\n<!-- <b> -->', 'a=t'],
    ['<!DOCTYPE a [<!ENTITY b "]>"> <!ELEMENT c (d)> <!-- ]> --><?e ]>?>]><a>&b;</a>', 'a=&b;'],
    ['<!DOCTYPE a [<!ENTITY % b "c"> %b;\n%c.d-e;]><a/>', 'a='],
    ['<!DOCTYPE a [%b]><a/>', 'malformed at 13'],
    ['<p:a><b>1</b><b y = \'>\' z="/>"/></p:a>', 'p:a/b=1', 'p:a/b=', 'p:a=+'],
    ['<a>1<!-- <b> -->2<![CDATA[<c>]]><?d <e>?></a>', 'a=12<c>'],
    ['<a><b></a></b>', 'malformed at 6', 'a/b=', 'a=+'],
    ['<a></b>', 'malformed at 3', 'a='],
    ['</a>', 'malformed at 0'],
    ['<a/><b/>', 'malformed at 4', 'a=', 'b='],
    ['<a>1 < 2</a>', 'malformed at 5', 'a=1'],
    ['<a <b>', 'malformed at 0'],
    ['<a [>', 'malformed at 0'],
    ['<!DOCTYPE a <a>', 'malformed at 0'],
    ['text', 'malformed at 0'],
    ['<!-- --> text <a/>', 'malformed at 8'],
    ['<a/>text', 'malformed at 4', 'a='],
    ['<a/><![CDATA[text]]>', 'malformed at 4', 'a='],
    ['<a>x<b>y', TRUNCATED, 'a/b=y', 'a=x+'],
    ['<a><b', TRUNCATED, 'a='],
    ['<a></', TRUNCATED, 'a='],
    ['<a x="1>', TRUNCATED],
    ['<a><!-- </a>', TRUNCATED, 'a='],
    ['<a><![CDATA[ </a>', TRUNCATED, 'a='],
    ['<!DOCTYPE a [<!ENTITY', TRUNCATED],
    ['', TRUNCATED],
    [`<a>${'x'.repeat(2000)}y</a>`, `a=${'x'.repeat(1024)}`],
    [`<${LONG}><b><${LONG}/></b></${LONG}>`, '=', `${LONG}/b=+`, `${LONG}=+`],
  ])('reads text %#', (text, ...found) => {
    expect(scan(text)).toEqual(found);
  });

  test('returns what a start tag has after its name, and what contains an element', () => {
    const found: unknown[] = [];
    scanXml('<a b="1"\nc=\'>\'><d/></a>', ({ attributes }, ancestors) => {
      found.push(
        attributes,
        ancestors.map(({ name }) => name),
      );
    });
    expect(found).toEqual(['/', ['a'], ' b="1"\nc=\'>\'', []]);
  });

  test.each([
    ['levels', 1000, (count: number) => '<a>'.repeat(count) + '</a>'.repeat(count)],
    ['starts of markup', 500_000, writeMarkup],
  ])('reads up to a number of %s: %i', (_, most, write) => {
    expect(scanXml(write(most), () => {})).toBeUndefined();
    expect(scanXml(write(most + 1), () => {})).toEqual({ kind: 'unread' });
  });

  test('returns in time for many repetitions', () => {
    const texts = [
      "'<a>' + '<!---->'.repeat(n / 7)",
      "'<!DOCTYPE a ' + '['.repeat(n)",
      "'<a>' + '<!--'.repeat(n / 4)",
      "'<a ' + 'x='.repeat(n / 2)",
      "'<a ' + '\"\\''.repeat(n / 2)",
      "'<a x=\"' + 'x '.repeat(n / 2) + '\">'",
      "'<' + 'a'.repeat(n)",
      "('<' + 'a'.repeat(n / 1000) + '>').repeat(999) + '<b/>'.repeat(n / 4)",
      "'<a>' + ' <![CDATA[ ]]>'.repeat(n / 14)",
    ];
    const read = texts.map((text) => `m.scanXml(${text}, () => {})?.kind`).join();
    expect(evaluate('xml-tags.ts', `((n) => [${read}])(2_000_000)`)).toMatch(/^(?:\w+,?){9}$/);
  });
});
