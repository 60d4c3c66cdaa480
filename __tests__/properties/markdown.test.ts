import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { stripInvisible } from '../../src/report/clean.ts';
import { escapeText, escapeWords } from '../../src/report/markdown.ts';
import { joinWhiteSpace } from '../../src/text.ts';
import { anyText, markupText } from './arbitraries.ts';
import {
  findElements,
  listBlocks,
  listLinked,
  readText,
  renderMarkdown,
} from '../support/github-markdown.ts';

// Tables and fences are tested in summary.test.ts.

const FOREIGN = fc.oneof(markupText(), anyText()).map(stripInvisible);
/** What a renderer may take for markup, or GitHub for mathematics, before it decodes references. */
const MARKUP = /[!#$%&()*+./:<=>?@[\\\]^_`{|}~]/;

/** Checks that a line is one paragraph of these elements only. Returns its text. */
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
        expect(expectParagraph(escaped)).toBe(joinWhiteSpace(text));
      }),
      { numRuns: 750, examples: [['- a'], ['---'], ['-']] },
    );
  });
});

describe('escapeWords', () => {
  test('shows any text as it is, with nothing outside of code that becomes a link', () => {
    fc.assert(
      fc.property(FOREIGN, (text) => {
        const escaped = escapeWords(text);
        expect(expectParagraph(escaped, 'code')).toBe(joinWhiteSpace(text));
        expect(listLinked(renderMarkdown(escaped))).toEqual([]);
      }),
      { numRuns: 750 },
    );
  });
});
