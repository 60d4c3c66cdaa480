import { describe, expect, test } from '@jest/globals';
import { hide } from '../../src/redaction/clean.ts';
import { show } from '../../src/redaction/show.ts';
import { writeCode, writeLines, writeSentence, writeTable } from '../../src/report/markdown.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { joinWhiteSpace } from '../../src/text.ts';
import { MARKUP_PIECES } from '../properties/arbitraries.ts';
import { expectClean, findElements, readTable, readText } from '../support/github-markdown.ts';
import { ENTRY, makeBatch, makeFailure, makeScan, makeStep } from '../support/report.ts';

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
  ["see deadbeef, or 'deadbeef.", "see `deadbeef`, or `'deadbeef`."],
  ['a.js:7:100: bad, 7:100: bad', '`a.js:7:100`: bad, `7:100`: bad'],
  // A mark inside quotes stays: without it, halves of a secret would be joined.
  ["see 'ab`cd'", 'see <code>&#39;ab&#96;cd&#39;</code>'],
  ['GH-12', '`GH-12`'],
  ['', undefined],
])('writeSentence writes code only where that is needed: %j', (text, written = text) => {
  expect(writeSentence(text)).toBe(written);
});

test('writeSentence takes no longer for each of many marks', () => {
  const dots = '.'.repeat(4000);
  const start = performance.now();
  for (let index = 0; index < 100; index += 1) expect(writeSentence(dots)).toBe(dots);
  expect(performance.now() - start).toBeLessThan(1500);
});

test('writeTable has lines of headings, alignments and cells, and none without cells', () => {
  const columns = [
    { heading: 'A', cells: ['a1', ''] },
    { heading: 'C', isNumber: true, cells: ['c1', 'c2'] },
  ];
  expect(writeTable(columns)).toEqual(['| A | C |', '| :--- | ---: |', '| a1 | c1 |', '|  | c2 |']);
  expect(writeTable([{ heading: 'A', cells: [] }])).toEqual([]);
});

test('writeLines keeps the lines of a text, unless a secret goes over them', () => {
  expect(writeLines('No.\n\n @a `b`\nEnd')).toBe(
    '`No.`\\\n<code>&#64;a &#96;b&#96;</code>\\\n`End`',
  );
  hide('my pass word is');
  expect(writeLines('No my pass\nword is known.\nEnd')).toBe('`No *** known. End`');
});

/** A text in one line, as the summary shows it. */
function showLine(text: string): string {
  return joinWhiteSpace(show(text));
}

/** A sentence without the backticks that mark code in it. */
function trim(text = ''): string {
  return showLine(text.replaceAll('`', ''));
}

const HIDDEN = ['\u202ea\u202c', 'a\u200b@b', '```\n</details>\n# a'];
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
    const names = 'h3 p h4 p ul p p table ul details';
    expect(blocks.map(({ name }) => name).join(' ')).toBe(names);
    const texts = blocks.map((block) => trim(readText(block).trim()));
    const fixed = `Fix: Check ${text}`;
    const named = `❌ rejected (200): ${showLine(`${text}, ${text}`)}`;
    const said = [shown, named, text, text, fixed, text];
    expect(texts.slice(1, 7)).toEqual(said.map(trim));
    expect(texts[8]).toBe(trim(`⚠️ ${showLine(`${text}, ${text}`)}: ${shown}`));
    const rows = readTable(blocks[7]).map((cells) => cells.slice(0, 2).map(trim));
    const row = [shown, '❌ rejected (200) · ⚠️ see the warning'].map(trim);
    expect(rows.slice(1, 3)).toEqual([row, row]);
    expect(texts[9]).toContain(trim(`ScanJsonFile ${shown}, 1.2 KiB`));
  });

  test.each(FOREIGN)('shows %j unchanged in the table of files', (text) => {
    const shown = showLine(text);
    const entry = {
      ...ENTRY,
      path: text,
      tool: text,
      subject: text,
      marks: [{ name: 'scanned-in-part', text }],
    } as const;
    const blocks = expectClean(makeSummary(makeStep({ manifest: [entry], says: [text] })));
    const [, cells = []] = readTable(blocks[2]);
    const contents = `of ${shown} · ⚠️ scanned in part`;
    const tool = showLine(`JSON of no known format by ${text}`);
    const expected = ['Scan file', shown, tool, contents];
    expect(cells.map(trim)).toEqual(expected.map(trim));
    const items = findElements(blocks.slice(3, 4), 'li').map((item) => trim(readText(item)));
    expect(items).toEqual([`The service says: ${shown}`, `⚠️ ${shown}`].map(trim));
  });
});
