import { describe, expect, test } from '@jest/globals';
import { show } from '../../src/redaction/show.ts';
import { writeCode, writeFence, writeSentence, writeTable } from '../../src/report/markdown.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { joinWhiteSpace } from '../../src/text.ts';
import { MARKUP_PIECES } from '../properties/arbitraries.ts';
import { expectClean, readTable, readText } from '../support/github-markdown.ts';
import {
  ENTRY,
  FAILURE,
  REPORT_ENTRY,
  findLines,
  makeBatch,
  makeFailure,
  makeScan,
} from '../support/report.ts';

test.each([
  [' a\n b\u2028c ', '`a b c`'],
  ['a\u200b\\', '`a\\`'],
  ['', ''],
  ['a`<b', '<code>a&#96;&#60;b</code>'],
  ['a|b\\', '<code>a&#124;b&#92;</code>'],
])('writeCode writes %j as %j', (text, code) => {
  expect(writeCode(text)).toBe(code);
});

test.each([
  ["Check the host's name (or its port): it is 1.5 of 60 %.", undefined],
  ['Set `auth: none`; or (`base-url`).', undefined],
  ['Write with `>`, not `&>`.', undefined],
  ["no file matches 'a b/*.json'. Check", "no file matches `'a b/*.json'`. Check"],
  ['set it to https://a.example/b.', 'set it to `https://a.example/b`.'],
  ['a (https://[::1]:8/prod). It was', 'a (`https://[::1]:8/prod`). It was'],
  ['`files` has @someone', '`files` has `@someone`'],
  ['a `|` or ` b', 'a <code>&#124;</code> or <code>&#96;</code> b'],
  ['must begin with https:// (user:password)', 'must begin with `https://` (`user:password`)'],
  ['see www.evil.example', 'see `www.evil.example`'],
  ['a :smile:', 'a `:smile`:'],
  ['on Fri, 02 Jan 2026 03:04:00 GMT', undefined],
  ['IPv6, Base64, v1.2 and Node 24.21.0!', undefined],
  ['see deadbeef', 'see `deadbeef`'],
  ['GH-12', '`GH-12`'],
  ['', undefined],
])('writeSentence writes code only where that is needed: %j', (text, written = text) => {
  expect(writeSentence(text)).toBe(written);
});

test('writeTable has the columns that have a text', () => {
  const columns = [
    ['A', ':---', 'a1', ''],
    ['B', ':---', '', ''],
    ['C', '---:', 'c1', 'c2'],
  ];
  expect(writeTable(columns)).toBe('| A | C |\n| :--- | ---: |\n| a1 | c1 |\n|  | c2 |');
  expect(writeTable([['A', ':---', '']])).toBe('');
});

test.each([
  ['``', 3],
  ['a\n```\nb', 6],
  ['`'.repeat(30), 48],
])('writeFence is longer than any run of backticks in %j', (text, length) => {
  const marks = '`'.repeat(length);
  expect(writeFence(text)).toBe(`${marks}text\n${text}\n${marks}`);
});

/** A text in one line, as the summary shows it. */
function showLine(text: string): string {
  return joinWhiteSpace(show(text));
}

/** A sentence without the backticks that mark code in it. */
function trim(text = ''): string {
  return showLine(text.replaceAll('`', ''));
}

const HIDDEN = ['\u202ea\u202c', 'a\u200b@b', '::error::a', '##[group]a', '```\n</details>\n# a'];
const FOREIGN = [...MARKUP_PIECES, ...HIDDEN].filter((text) => showLine(text) !== '');

describe('makeSummary with text from outside', () => {
  test.each(FOREIGN)('shows %j unchanged in every place', (text) => {
    const shown = showLine(text);
    const manifest = [{ ...ENTRY, path: text, tool: text, warnings: [text] }];
    const failure = makeFailure({
      headline: text,
      details: [text],
      fixes: [`Check ${text}`],
      traces: [text],
    });
    const failed = makeScan({ label: text, result: 'rejected', manifest, failure, service: text });
    const blocks = expectClean(makeSummary(makeBatch([failed, failed])));
    const names = 'h3 p pre p ul table ul p details';
    expect(blocks.map(({ name }) => name).join(' ')).toBe(names);
    const texts = blocks.map((block) => readText(block).trim());
    expect(trim(texts[1])).toBe(trim(`${FAILURE.title}: ${showLine(`${text}, ${text}`)}`));
    expect(texts[2]).toBe(show([text, text, text].join('\n')).trim());
    expect([texts[4], texts[6]].map(trim)).toEqual([`Check ${text}`, `⚠️ ${shown}`].map(trim));
    expect(texts[7]?.endsWith(` · ${shown}`)).toBe(true);
    const [headings = [], ...rows] = readTable(blocks[5]);
    const file = ['ScanJsonFile', `⚠️ ${shown}`, showLine(`JSON by ${text}`), '1.2 KiB'];
    const row = [shown, '❌ rejected (200)', ...file];
    const columns = ['Scan', 'Result', 'Part', 'File', 'Format', 'Size'];
    const read = rows.map((cells) => columns.map((name) => cells[headings.indexOf(name)]));
    const cells = row.map((cell) => trim(cell));
    expect(read.map((each) => each.map(trim))).toEqual([cells, cells]);
  });
});

/** GitHub refuses a larger summary of one step. */
const MAX_SUMMARY_BYTES = 1024 * 1024;
const HUGE = Number.MAX_SAFE_INTEGER;

test('makeSummary of 200 scans with the longest texts stays below the limit of GitHub', () => {
  // Those that grow most when each character or each word is escaped.
  const [long, longWords] = ['|'.repeat(5000), '(| '.repeat(5000)];
  const severities = { critical: 9e15, high: 9e15, medium: 9e15, low: 9e15, none: 9e15 };
  const manifest = [ENTRY, REPORT_ENTRY].map((entry) => ({
    ...entry,
    path: long,
    tool: long,
    specVersion: long,
    bytes: HUGE,
    findings: HUGE,
    warnings: Array.from({ length: 12 }, (_, index) => `${index} ${longWords}`),
    severities: { ...severities, unknown: 9e15 },
  }));
  const scans = Array.from({ length: 200 }, (_, index) => {
    const headline = `${index} ${longWords}`.slice(0, 1600);
    const [more, fix] = [long.slice(0, 1500), longWords.slice(0, 500)];
    const failure = makeFailure({ headline, details: [more], fixes: [fix] });
    return makeScan({ label: long, name: long, result: 'rejected', manifest, failure });
  });
  const summary = makeSummary(makeBatch(scans));
  expect(Buffer.byteLength(summary)).toBeLessThan(MAX_SUMMARY_BYTES);
  expect(findLines(summary, /^There is more in the log/)).toHaveLength(1);
});
