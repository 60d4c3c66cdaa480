import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { showText } from '../../src/redaction/gate.ts';
import { escapeCode, escapeWords, makeTable } from '../../src/report/markdown.ts';
import { joinWhiteSpace } from '../../src/text.ts';
import { anyText, markupText } from './arbitraries.ts';
import {
  findElements,
  listBlocks,
  listLinked,
  readTable,
  readText,
  renderMarkdown,
} from '../support/github-markdown.ts';

const FOREIGN = fc.oneof(markupText(), anyText());
/** Input names in backticks, as in the action's own sentences. */
const INPUTS = fc.constantFrom('`token`', '(`a-b`)', '`auth: none`.', '`', '``', '\\`a`', '`a`b');
const WORDS = fc
  .oneof(
    FOREIGN,
    fc.array(fc.oneof(INPUTS, FOREIGN)).map((words) => words.join(' ')),
    fc.array(fc.oneof(INPUTS, FOREIGN)).map((words) => words.join('')),
  )
  .map(showText);
/** Pipes and the characters that may precede them. */
const CELL = fc
  .oneof(FOREIGN, fc.string({ unit: fc.constantFrom('|', '\\', '`', 'a', ' ', '@') }))
  .map(showText);

/** The text as shown: input names in code lose their backticks. */
function showInputs(text: string): string {
  const input = /(?<=(?:^|\s)\(?)`([\w:=-]+(?: [\w:=-]+)*)`(?=[.,;:)]*(?:\s|$))/g;
  return /^\d+[.)]/.test(text) ? text : text.replace(input, '$1');
}

/** Checks that a line is one paragraph of these elements only. Returns its text. */
function expectParagraph(line: string, ...names: readonly string[]): string {
  const blocks = listBlocks(renderMarkdown(line));
  expect(blocks.map(({ name }) => name)).toEqual(line === '' ? [] : ['p']);
  const inner = findElements(blocks.flatMap(({ children }) => children));
  expect(inner.filter(({ name }) => !names.includes(name))).toEqual([]);
  return readText(...blocks);
}

describe('escapeCode', () => {
  test('shows any text unchanged, in one line of code', () => {
    fc.assert(
      fc.property(WORDS, (text) => {
        const escaped = escapeCode(text);
        expect(escaped).not.toMatch(/[\r\n\u2028\u2029]/);
        expect(expectParagraph(escaped, 'code')).toBe(joinWhiteSpace(text));
        expect(listLinked(renderMarkdown(escaped))).toEqual([]);
      }),
      { numRuns: 400, examples: [['- a'], ['---'], ['`'], ['\\`'], ['\\|\ufdd0']] },
    );
  });
});

describe('escapeWords', () => {
  test('shows any text unchanged, and no text outside of code becomes a link', () => {
    fc.assert(
      fc.property(WORDS, (text) => {
        const escaped = escapeWords(text);
        expect(expectParagraph(escaped, 'code')).toBe(showInputs(joinWhiteSpace(text)));
        expect(listLinked(renderMarkdown(escaped))).toEqual([]);
      }),
      { numRuns: 750, examples: [['x(`a`'], ['`a`)@b'], ['` a `'], ['1. `a`']] },
    );
  });
});

describe('makeTable', () => {
  test('shows any text unchanged in its cell', () => {
    fc.assert(
      fc.property(CELL, CELL, (code, words) => {
        const columns = [
          ['A', ':---', 'a', escapeCode(code)],
          ['B', ':---', 'b', escapeWords(words)],
        ];
        const pieces = renderMarkdown(makeTable(columns));
        expect(listLinked(pieces)).toEqual([]);
        expect(readTable(listBlocks(pieces)[0])).toEqual([
          ['A', 'B'],
          ['a', 'b'],
          [joinWhiteSpace(code), showInputs(joinWhiteSpace(words))],
        ]);
      }),
      {
        numRuns: 750,
        examples: [
          ['a\\|b', 'a\\|b'],
          ['\\', '|'],
          ['|\\', '\\\\|'],
        ],
      },
    );
  });
});
