import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { escapeCode, escapeText, escapeWords, fence } from '../../src/report/markdown.ts';
import { stripInvisible } from '../../src/report/clean.ts';
import { anyText } from './arbitraries.ts';
import {
  findElements,
  listBlocks,
  listLinked,
  readTable,
  readText,
  renderMarkdown,
} from '../support/github-markdown.ts';
import { markupText } from './markup-arbitraries.ts';

const FOREIGN = fc.oneof(markupText(), anyText()).map(stripInvisible);
/** What a renderer may take for markup, or GitHub for mathematics, before it looks for references. */
const MARKUP = /[!#$%&()*+./:<=>?@[\\\]^_`{|}~]/;

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Makes sure that a line is one paragraph of these elements only. Returns its text. */
function expectParagraph(line: string, ...names: readonly string[]): string {
  const blocks = listBlocks(renderMarkdown(line));
  expect(blocks.map(({ name }) => name)).toEqual(line === '' ? [] : ['p']);
  const inner = findElements(blocks.flatMap(({ children }) => children));
  expect(inner.filter(({ name }) => !names.includes(name))).toEqual([]);
  return readText(...blocks);
}

describe('escapeText', () => {
  test('shows any text as it is, in a paragraph and without markup', () => {
    fc.assert(
      fc.property(FOREIGN, (text) => {
        const escaped = escapeText(text);
        expect(escaped).not.toMatch(/[\r\n\u2028\u2029]/);
        expect(escaped.replace(/&#\d+;/g, '')).not.toMatch(MARKUP);
        expect(expectParagraph(escaped)).toBe(collapse(text));
      }),
      { numRuns: 750 },
    );
  });

  test.each(['- a', '---', '-'])('is no list or rule of %j', (text) => {
    expect(expectParagraph(escapeText(text))).toBe(text);
  });

  test('stays in its cell of a table', () => {
    fc.assert(
      fc.property(FOREIGN, FOREIGN, (one, other) => {
        const table = `| A | B |\n| --- | --- |\n| ${escapeText(one)} | ${escapeCode(other)} |\n\nend`;
        const [block, ...rest] = listBlocks(renderMarkdown(table));
        expect(readTable(block)).toEqual([
          ['A', 'B'],
          [collapse(one), collapse(other)],
        ]);
        expect(rest.map(({ name, children }) => [name, readText(...children)])).toEqual([
          ['p', 'end'],
        ]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('escapeCode', () => {
  test('is one element of code around any text', () => {
    fc.assert(
      fc.property(FOREIGN, (text) => {
        const inner = /^<code>([^<>]*)<\/code>$/s.exec(escapeCode(text))?.[1];
        expect(inner).toBe(escapeText(text));
      }),
    );
  });
});

describe('escapeWords', () => {
  test('shows any text as it is, with nothing outside of code that becomes a link', () => {
    fc.assert(
      fc.property(FOREIGN, (text) => {
        const escaped = escapeWords(text);
        expect(expectParagraph(escaped, 'code')).toBe(collapse(text));
        expect(listLinked(renderMarkdown(escaped))).toEqual([]);
      }),
      { numRuns: 750 },
    );
  });
});

describe('fence', () => {
  test('holds any text as it is, up to its own end', () => {
    fc.assert(
      fc.property(FOREIGN, (text) => {
        const [block, ...rest] = listBlocks(renderMarkdown(`${fence(text)}\n\nend`));
        expect(block?.name).toBe('pre');
        expect(findElements(block?.children ?? []).map(({ name }) => name)).toEqual(['code']);
        expect(readText(...(block?.children ?? [])).replace(/\n$/, '')).toBe(text);
        expect(rest.map(({ name }) => name)).toEqual(['p']);
      }),
      { numRuns: 750 },
    );
  });

  test('is longer than any run of backticks', () => {
    const ticks = fc.array(fc.constantFrom('`', '``', '`````', '\n', ' ', 'a'), {
      maxLength: 40,
      size: 'max',
    });
    fc.assert(
      fc.property(ticks, (pieces) => {
        const text = stripInvisible(pieces.join(''));
        const marks = /^`+/.exec(fence(text))?.[0] ?? '';
        expect(marks.length).toBeGreaterThanOrEqual(3);
        expect(text).not.toContain(marks);
      }),
    );
  });
});
