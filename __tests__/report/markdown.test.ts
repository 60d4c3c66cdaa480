import { describe, expect, test } from '@jest/globals';
import { hide } from '../../src/redaction/clean.ts';
import { showText } from '../../src/redaction/gate.ts';
import { escapeCode, escapeWords, fence, makeTable } from '../../src/report/markdown.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { joinWhiteSpace } from '../../src/text.ts';
import { MARKUP_PIECES } from '../properties/arbitraries.ts';
import { expectClean, findElements, readTable, readText } from '../support/github-markdown.ts';
import { ENTRY, FAILURE, REPORT_ENTRY, findLines, makeBatch, makeScan } from '../support/report.ts';

test.each([
  [' a\n b\t \u2028c ', '`a b c`'],
  ['a\u200b\\', '`a\\`'],
  ['', ''],
  ['a`<b', '<code>a&#96;&#60;b</code>'],
  ['a|b\\', '<code>a&#124;b&#92;</code>'],
])('escapeCode writes %j as %j', (text, code) => {
  expect(escapeCode(text)).toBe(code);
});

test.each([
  ["Check base-url (or the host's name): 'it' is not there.", []],
  ['In 30,000 bytes of version 1.2.3, 60 s', []],
  ['facade, decade and wwwx', []],
  ['at www. or (WWW.', ['www', 'WWW']],
  ['defaced, deadbeef', ['defaced', 'deadbeef']],
  ['1234567 and 12345678.9', ['1234567', '12345678.9']],
  ['at https://a.example/b, or @c; see #1 (GH-2)', ['https://a.example/b', '@c', '#1', 'GH-2']],
  ['a  "_b_" \n c:d:', ['_b_', 'c:d']],
  ['', []],
  ['1. first', ['1. first']],
  ['12) first', ['12) first']],
])('escapeWords writes as code: %j', (text, code) => {
  const escaped = escapeWords(text);
  expect([...escaped.matchAll(/`(.*?)`/g)].map(([, inner = '']) => inner)).toEqual(code);
  expect(escaped.replaceAll('`', '')).toBe(text.replace(/\s+/g, ' '));
});

const INPUTS = 'Check `scan-key`, then (`base-url`); set `auth: none`.';
test.each([
  [INPUTS, INPUTS],
  ['(`files: out/a+b-1.json`),', '(`files: out/a+b-1.json`),'],
  ['`a`@b', '<code>&#96;a&#96;&#64;b</code>'],
  ['x(`a`', '<code>x&#40;&#96;a&#96;</code>'],
  ['` a `', '<code>&#96;</code> a <code>&#96;</code>'],
])('escapeWords keeps only inputs in backticks: %j', (text, escaped) => {
  expect(escapeWords(text)).toBe(escaped);
});

test('makeTable has the columns that have a text', () => {
  const columns = [
    ['A', ':---', 'a1', ''],
    ['B', ':---', '', ''],
    ['C', '---:', 'c1', 'c2'],
  ];
  expect(makeTable(columns)).toBe('| A | C |\n| :--- | ---: |\n| a1 | c1 |\n|  | c2 |');
  expect(makeTable([['A', ':---', '']])).toBe('');
});

test.each([
  ['one\u200b\ntwo', 'one\ntwo', 3],
  ['``', '``', 3],
  ['a\n```\nb', 'a\n```\nb', 4],
  ['`'.repeat(30), '`'.repeat(30), 31],
])('fence is longer than any run of backticks in %j', (text, shown, length) => {
  const marks = '`'.repeat(length);
  expect(fence(text)).toBe(`${marks}text\n${shown}\n${marks}`);
});

test('no secret appears where white space is joined', () => {
  hide('correct horse 4711');
  for (const space of ['\n', ' \t ', '\u00a0', '\u2028']) {
    const text = 'correct horse 4711'.replaceAll(' ', space);
    expect(escapeCode(text)).toBe('`***`');
    expect(escapeWords(`a ${text} b`)).toBe('a `***` b');
  }
});

/** A text in one line, as the summary shows it. */
function showLine(text: string): string {
  return joinWhiteSpace(showText(text));
}

const HIDDEN = ['\u202ea\u202c', 'a\u200b@b', '::error::a', '##[group]a', '```\n</details>\n# a'];
const FOREIGN = [...MARKUP_PIECES, ...HIDDEN].filter((text) => showLine(text) !== '');

describe('makeSummary with text from outside', () => {
  test.each(FOREIGN)('shows %j unchanged in every place', (text) => {
    const shown = showLine(text);
    const manifest = [{ ...ENTRY, path: text, tool: text, warnings: [text] }];
    const failure = {
      ...FAILURE,
      headline: text,
      details: [text],
      fixes: [`Check ${text}`],
      traces: [text],
    };
    const failed = makeScan({ label: text, result: 'rejected', manifest, failure });
    const blocks = expectClean(makeSummary(makeBatch([failed, failed], { origin: text })));
    const names = 'h3 p pre p ul p table ul p details';
    expect(blocks.map(({ name }) => name).join(' ')).toBe(names);
    const texts = blocks.map((block) => readText(block).trim());
    expect(texts[1]).toBe(showLine(`${FAILURE.title}: ${text}, ${text}`));
    expect(texts[2]).toBe(showText([text, text, text].join('\n')).trim());
    expect([texts[4], texts[7]]).toEqual([showLine(`Check ${text}`), `⚠️ ${shown}`]);
    expect(texts[8]?.endsWith(` · ${shown}`)).toBe(true);
    const [headings = [], ...rows] = readTable(blocks[6]);
    const file = ['ScanJsonFile', `⚠️ ${shown}`, showLine(`JSON by ${text}`), '1.2 KiB'];
    const row = [shown, '❌ rejected (200)', shown, ...file];
    const columns = ['Scan', 'Result', 'Reason', 'Part', 'File', 'Format', 'Size'];
    const read = rows.map((cells) => columns.map((name) => cells[headings.indexOf(name)]));
    expect(read).toEqual([row, row]);
  });

  test('leaves plain words of fixes unchanged, and writes everything else as code', () => {
    const fixes = ['Check base-url (30,000 bytes): https://a.example is not there; see @b.'];
    const failed = makeScan({ result: 'rejected', failure: { ...FAILURE, fixes } });
    const items = findElements(expectClean(makeSummary(makeBatch([failed]))), 'li');
    const code = findElements(items[0]?.children ?? [], 'code').map((each) => readText(each));
    expect(code).toEqual(['https://a.example', '@b']);
    expect(readText(...(items[0]?.children ?? []))).toBe(fixes[0]);
  });
});

/** GitHub refuses a larger summary of one step. */
const MAX_SUMMARY_BYTES = 1024 * 1024;
const HUGE = Number.MAX_SAFE_INTEGER;

describe('makeSummary of 80 scans with the longest texts', () => {
  // The texts that grow most when each character or each word is escaped, and the longest encodings.
  test.each([
    ['marks and words in brackets', '|', '(| '],
    ['marks that are words', '| ', '| '],
    ['words that resemble commits', 'deadbeef1 ', 'deadbeef1 '],
    ['letters of four bytes', '\u{1f511}', '\u{1f511} '],
    ['backticks', '`', '` '],
  ])('stays below the limit of GitHub with %s', (_, piece, words) => {
    const [long, longWords] = [piece.repeat(5000), words.repeat(5000)];
    const severities = { critical: 9e15, high: 9e15, medium: 9e15, low: 9e15, none: 9e15 };
    const manifest = [ENTRY, REPORT_ENTRY].map((entry) => ({
      ...entry,
      path: long,
      tool: long,
      specVersion: long,
      bytes: HUGE,
      findings: HUGE,
      warnings: Array.from({ length: 12 }, (__, index) => `${index} ${longWords}`),
      severities: { ...severities, unknown: 9e15 },
    }));
    const scans = Array.from({ length: 80 }, (__, index) => {
      const headline = `${index % 6} ${longWords}`;
      const failure = { ...FAILURE, headline, details: [long, long] };
      return makeScan({ label: long, name: long, result: 'rejected', manifest, failure });
    });
    const summary = makeSummary(makeBatch(scans));
    expect(Buffer.byteLength(summary)).toBeLessThan(MAX_SUMMARY_BYTES);
    expect(findLines(summary, /^And 60 more rows: /)).toHaveLength(1);
  });
});
