import { describe, expect, test } from '@jest/globals';
import { showText } from '../../src/redaction/gate.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { joinWhiteSpace } from '../../src/text.ts';
import { MARKUP_PIECES } from '../properties/arbitraries.ts';
import { expectClean, findElements, readTable, readText } from '../support/github-markdown.ts';
import { ENTRY, FAILURE, REPORT_ENTRY, findLines, makeBatch, makeScan } from '../support/report.ts';

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
