import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { SaxesParser } from 'saxes';
import { drawChart } from '../../bench/speed/chart.ts';
import { LINES } from '../../bench/speed/lines/index.ts';
import { replaceBetweenMarkers } from '../../bench/speed/markers.ts';
import { formatLine, formatTables } from '../../bench/speed/table.ts';
import { escapeXml } from '../../bench/speed/xml.ts';
import { makeResult, makeResults } from './speed-fixtures.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SKIPPED = { ...makeResult('gone'), standings: [], goals: [], skipped: 'no <curl> | & co' };

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** The elements of an XML document in order. Throws where it is not well-formed. */
function parse(xml: string): readonly Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, text: '' };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const last = open.at(-1);
    if (last !== undefined) last.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return elements;
}

/** The rectangles, lines or texts of a class. */
function select(elements: readonly Element[], kind: string): readonly Element[] {
  return elements.filter(({ attributes }) => attributes['class'] === kind);
}

function getNumber(element: Element | undefined, attribute: string): number {
  return Number(element?.attributes[attribute]);
}

describe('formatLine', () => {
  test('shows each program, the ratio of the medians and the goal', () => {
    expect(formatLine(makeResult('a'))).toBe(
      [
        'a: title of a',
        '  ours   40.0 ms  [39.0 ms, 41.0 ms]  3 runs',
        '  other  100.0 ms  1 run  ours is 0.40 x',
        '  met: ours 0.40 x (goal <= 0.5 x other)',
      ].join('\n'),
    );
  });

  test('says what was missed, skipped and went wrong', () => {
    expect(formatLine(makeResult('a', { isMet: false }))).toContain('\n  MISSED: ours 0.40 x');
    expect(formatLine(SKIPPED)).toBe('gone: title of gone\n  skipped: no <curl> | & co');
    const failed = { ...makeResult('a'), failed: 'exit code 1' };
    expect(formatLine(failed)).toBe('a: title of a\n  FAILED: exit code 1');
  });
});

describe('formatTables', () => {
  const text = formatTables(
    makeResults(makeResult('a'), SKIPPED, makeResult('b', { isMet: false })),
  );

  test('has a row for each program and each goal', () => {
    expect(text).toContain('| a | ours | 40.0 ms | 39.0 ms | 41.0 ms |  |');
    expect(text).toContain('| a | other | 100.0 ms | 100.0 ms | 100.0 ms | 0.40 x |');
    expect(text).toContain('| a | ours | ≤ 0.5 x other | 0.40 x | yes |');
    expect(text).toContain('| b | ours | ≤ 0.5 x other | 0.40 x | **no** |');
  });

  test('names the date and the machine', () => {
    expect(text).toContain('2026-01-31, Z80');
    expect(text).toContain('with 2 cores, linux 6.1, Node v24.0.0, a load of 0.3 before.');
  });

  test('keeps its columns whatever stands in a cell', () => {
    expect(text).toContain(String.raw`| gone |  | skipped: no <curl> \| & co |`);
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    const cells = rows.map((row) => row.match(/(?<!\\)\|/g)?.length);
    expect(new Set(cells)).toEqual(new Set([7, 6]));
  });
});

describe('replaceBetweenMarkers', () => {
  const page = 'above\n<!-- bench:begin -->\nold\n<!-- bench:end -->\nbelow\n';

  test('leaves what is written by hand', () => {
    const once = replaceBetweenMarkers(page, 'new $& $1');
    expect(once).toBe('above\n<!-- bench:begin -->\n\nnew $& $1\n\n<!-- bench:end -->\nbelow\n');
    expect(replaceBetweenMarkers(once, 'new $& $1')).toBe(once);
  });

  test.each(['', '<!-- bench:begin -->', '<!-- bench:end --><!-- bench:begin -->'])(
    'refuses a page without them: %j',
    (text) => {
      expect(() => replaceBetweenMarkers(text, 'new')).toThrow('lacks <!-- bench:begin -->');
    },
  );
});

describe('drawChart', () => {
  const long = makeResult('long', { ours: 10, other: 1000, isMet: false });
  const svg = drawChart(makeResults(makeResult('<a> & "b"'), SKIPPED, long));
  const elements = parse(svg);

  test('is well-formed and has every line, whatever its name', () => {
    const titles = select(elements, 'title').map(({ text }) => text);
    expect(titles).toEqual([
      '<a> & "b": title of <a> & "b"',
      'gone: title of gone',
      'long: title of long',
    ]);
    expect(select(elements, 'note').map(({ text }) => text)).toContain('skipped: no <curl> | & co');
  });

  test('draws bars in the proportion of the medians', () => {
    const [ours] = select(elements, 'ours');
    const [other] = select(elements, 'other');
    expect(getNumber(ours, 'width') / getNumber(other, 'width')).toBeCloseTo(0.4, 2);
    expect(select(elements, 'figure').map(({ text }) => text)).toContain('100.0 ms, 2.50 x ours');
  });

  test('cuts off a bar that would dwarf ours', () => {
    const [, ours] = select(elements, 'ours');
    const [, other] = select(elements, 'other');
    expect(getNumber(ours, 'width') / getNumber(other, 'width')).toBeCloseTo(1 / 3, 2);
    expect(select(elements, 'cut')).toHaveLength(1);
  });

  test('marks each goal where it stands', () => {
    const [bar] = select(elements, 'other');
    const [met] = select(elements, 'met');
    const half = getNumber(bar, 'x') + getNumber(bar, 'width') / 2;
    expect(getNumber(met, 'x1')).toBeCloseTo(half, 0);
    expect(select(elements, 'missed')).toHaveLength(1);
  });

  test('says in words what it shows, and needs nothing from elsewhere', () => {
    const description = elements.find(({ name }) => name === 'desc')?.text ?? '';
    expect(description).toContain('title of long: ours 10.0 ms, other 1.00 s.');
    expect(description).toContain('title of gone: not measured.');
    expect(elements[0]?.attributes).toMatchObject({ role: 'img', 'aria-labelledby': 'title desc' });
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(
      /https?:|url\(|@import/,
    );
  });

  test('ends below its last bar', () => {
    const bottoms = elements.map((each) => getNumber(each, 'y') + getNumber(each, 'height'));
    const height = getNumber(elements[0], 'height');
    expect(Math.max(...bottoms.filter(Number.isFinite))).toBeLessThanOrEqual(height);
  });
});

describe('escapeXml', () => {
  test('leaves nothing that XML has a meaning for, or cannot hold', () => {
    expect(escapeXml('a < b > "c" & \u0000\ud800\t')).toBe(
      'a &lt; b &gt; &quot;c&quot; &amp; \uFFFD\uFFFD\t',
    );
  });
});

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

describe('what the last run wrote', () => {
  const results: unknown = JSON.parse(read('bench/results.json'));

  test('has every line in the results, the page and the picture', () => {
    expect(results).toMatchObject({ lines: LINES.map(({ name, title }) => ({ name, title })) });
    const titles = select(parse(read('docs/performance.svg')), 'title').map(({ text }) => text);
    expect(titles).toEqual(LINES.map(({ name, title }) => `${name}: ${title}`));
    for (const { name } of LINES) expect(read('docs/performance.md')).toContain(`\n| ${name} `);
  });
});
