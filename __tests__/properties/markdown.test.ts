import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { escapeCode, escapeText, fence } from '../../src/report/markdown.ts';
import { stripInvisible } from '../../src/report/clean.ts';
import { anyText } from './arbitraries.ts';
import { decodeReferences, hasInlineMarkup, isPlainLine, readBlocks } from './github-markdown.ts';

const MARKUP_PIECES = [
  '|',
  '\\|',
  '\\',
  '`',
  '``',
  '```',
  '~~~',
  '<',
  '>',
  '<img src=x>',
  '</code>',
  '<!--',
  '![a](b)',
  '[a](javascript:b)',
  '[a]: b',
  'https://evil.example',
  'www.evil.example',
  '**',
  '_',
  '# ',
  '> ',
  '- ',
  '---',
  '===',
  '* ',
  '+ ',
  '1. ',
  '1) ',
  '@someone',
  '#12',
  'GH-12',
  ':smile:',
  '$x$',
  '&lt;',
  '&#60;',
  '&',
  '\n',
  '\r',
  '\n\n',
  '    ',
  '\t',
  'word',
] as const;
const FOREIGN = fc.oneof(
  fc
    .array(fc.constantFrom(...MARKUP_PIECES), { maxLength: 12, size: 'max' })
    .map((pieces) => pieces.join('')),
  anyText(),
);

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

describe('escapeText', () => {
  test('shows any text as it is, on one line and without markup', () => {
    fc.assert(
      fc.property(FOREIGN, (text) => {
        const escaped = escapeText(text);
        expect(escaped).not.toMatch(/[\r\n\u2028\u2029]/);
        expect(hasInlineMarkup(escaped)).toBe(false);
        expect(decodeReferences(escaped)).toBe(collapse(text));
      }),
      { numRuns: 750 },
    );
  });

  test('is no block of its own where it begins a line', () => {
    fc.assert(
      fc.property(FOREIGN, (text) => {
        expect(isPlainLine(escapeText(text))).toBe(true);
      }),
      { numRuns: 750 },
    );
  });

  test.each(['- a', '---', '-'])('is no list or rule of %j', (text) => {
    expect(isPlainLine(escapeText(text))).toBe(true);
  });

  test('stays in its cell of a table', () => {
    fc.assert(
      fc.property(FOREIGN, FOREIGN, (one, other) => {
        const table = `| A | B |\n| --- | --- |\n| ${escapeText(one)} | ${escapeCode(other)} |\n\nend`;
        const [block, ...rest] = readBlocks(table);
        const rows = block?.kind === 'table' ? block.rows : [];
        expect(rows.map((row) => row.length)).toEqual([2, 2]);
        expect(decodeReferences(rows[1]?.[0] ?? '')).toBe(collapse(one));
        expect(rest).toEqual([{ kind: 'paragraph', text: 'end' }]);
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

describe('fence', () => {
  test('holds any text as it is, up to its own end', () => {
    fc.assert(
      fc.property(FOREIGN.map(stripInvisible), (text) => {
        const blocks = readBlocks(`${fence(text)}\n\nend`);
        expect(blocks).toEqual([
          { kind: 'code', text },
          { kind: 'paragraph', text: 'end' },
        ]);
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
