import { describe, expect, test } from '@jest/globals';
import { scanXml } from '../src/xml-tags.ts';
import { evaluate } from './support/evaluate.ts';
import { MIB } from './support/samples.ts';

/** Whether a text is well-formed, and its elements as they end: path, text, and `+` for elements in it. */
function scan(text: string): readonly (boolean | string)[] {
  const elements: string[] = [];
  const isWhole = scanXml(text, ({ path, text: inside, hasElements }) => {
    elements.push(`${path}=${inside}${hasElements ? '+' : ''}`);
  });
  return [isWhole, ...elements];
}

const LONG = 'n'.repeat(200);

describe('scanXml', () => {
  test.each<[string, readonly (boolean | string)[]]>([
    ['<a/>', [true, 'a=']],
    ['\ufeff<?xml version="1.0"?>\n<!DOCTYPE a><a x="1">\n t </a>\n<!-- <b> -->', [true, 'a=t']],
    ['<p:a><b>1</b><b y = \'>\' z="/>"/></p:a>', [true, 'p:a/b=1', 'p:a/b=', 'p:a=+']],
    ['<a>1<!-- <b> -->2<![CDATA[<c>]]><?d <e>?></a>', [true, 'a=12<c>']],
    ['<a><b></a></b>', [false, 'a/b=', 'a=+']],
    ['<a></b>', [false, 'a=']],
    ['</a>', [false]],
    ['<a/><b/>', [false, 'a=', 'b=']],
    ['<a>x<b>y', [false, 'a/b=y', 'a=x+']],
    ['<a><b', [false, 'a=']],
    ['<a x="1>', [false]],
    ['<a><!-- </a>', [false, 'a=']],
    ['<a><![CDATA[ </a>', [false, 'a=']],
    ['<a>1 < 2</a>', [false, 'a=1']],
    ['text', [false]],
    ['', [false]],
    [`<a>${'x'.repeat(2000)}y</a>`, [true, `a=${'x'.repeat(1024)}`]],
    [`<${LONG}><b><${LONG}/></b></${LONG}>`, [true, '=', `${LONG}/b=+`, `${LONG}=+`]],
  ])('reads %j', (text, elements) => {
    expect(scan(text)).toEqual(elements);
  });

  test.each([
    [1000, true],
    [1001, false],
  ])('reads %i levels: %s', (levels, isWhole) => {
    expect(scan('<a>'.repeat(levels) + '</a>'.repeat(levels))[0]).toBe(isWhole);
  });

  test('returns in time for many repetitions', () => {
    const texts = [
      "'<a>' + '<!---->'.repeat(n / 7)",
      "'<a>' + '<!--'.repeat(n / 4)",
      "'<a ' + 'x='.repeat(n / 2)",
      "'<a ' + '\"\\''.repeat(n / 2)",
      "'<a x=\"' + 'x '.repeat(n / 2) + '\">'",
      "'<' + 'a'.repeat(n)",
      "('<' + 'a'.repeat(n / 1000) + '>').repeat(999) + '<b/>'.repeat(n / 4)",
      "'<a>' + ' <![CDATA[ ]]>'.repeat(n / 14)",
    ];
    const read = texts.map((text) => `m.scanXml(${text}, () => {})`).join();
    expect(evaluate('xml-tags.ts', `((n) => [${read}])(${4 * MIB})`)).toMatch(/^(?:false,?){8}$/);
  });
});
