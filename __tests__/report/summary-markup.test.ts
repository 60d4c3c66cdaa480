import { describe, expect, test } from '@jest/globals';
import { showText } from '../../src/report/clean.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { findElements, readTable, readText } from '../support/github-markdown.ts';
import type { Element } from '../support/github-markdown.ts';
import { ENTRY, FAILURE, REPORT, makeStep } from '../support/report.ts';
import { expectClean } from '../support/summary-document.ts';

/** Short enough to be shown whole wherever it stands. */
const HOSTILE = [
  'a|b',
  'a\\|b',
  'a`|`b',
  '`a`|``b',
  'a\n| x | y |\n',
  'a\n\n# b',
  'a\n===',
  'a\n---',
  '- [ ] a',
  '1. a',
  '> a',
  '<img src=x>',
  '<b>a</b>',
  '</code></td>',
  '<!-- a',
  '<script>a',
  '![x](//e.ex/x)',
  '[x](//e.ex)',
  '[[x]]',
  '[^1]',
  '[^1]: a',
  '[x]: /e',
  '<https://e.ex>',
  'https://e.ex',
  'www.e.ex',
  'a@e.example',
  'mailto:a@e.ex',
  '@octocat',
  '(@octocat)',
  '#1',
  'a/b#1',
  '!1',
  'GH-12',
  'ABC-12',
  '2c26b46',
  'deadbeef',
  'Deadbee-f',
  'a/b@2c26b46b68ff',
  '1234567',
  ':smile:',
  '$x$',
  '$$',
  '\\(x\\)',
  '\\',
  'a\\',
  '&lt;b&gt;',
  '&#64;octocat',
  '&amp;',
  '**a**',
  '_a_',
  '~~a~~',
  '```',
  '```\na',
  '~~~~',
  '{#x .y}',
  '- a',
  '---',
  '\u202ea\u202c',
  'a\u200b@b',
  '"\'',
  '${{ x }}',
  'a\tb',
  '::error::a',
  '💥|💥',
] as const;

/** A text on one line, as it may be shown. */
function cleanLine(text: string): string {
  return showText(text).replace(/\s+/g, ' ').trim();
}

/** The elements of that name at the top of a summary with this text wherever foreign text stands. */
function render(text: string): (name: string) => readonly Element[] {
  const entry = { path: text, tool: text, specVersion: text };
  const blocks = expectClean(
    makeSummary(
      makeStep({
        result: 'rejected',
        origin: text,
        manifest: [
          { ...ENTRY, ...entry },
          { ...REPORT, ...entry },
        ],
        failure: {
          ...FAILURE,
          headline: text,
          details: [text, text],
          advice: [text, `Do ${text}`],
        },
      }),
    ),
  );
  expect(blocks.map(({ name }) => name)).toEqual(['h3', 'p', 'pre', 'p', 'ul', 'table', 'table']);
  return (wanted) => blocks.filter(({ name }) => name === wanted);
}

describe('a summary with foreign text', () => {
  test.each(HOSTILE)('shows it in every cell as it is: %j', (text) => {
    const shown = cleanLine(text);
    const rows = readTable(render(text)('table')[0]);
    expect(rows.map((row) => row.length)).toEqual([7, 7, 7]);
    for (const [, path, , format, tool] of rows.slice(1)) {
      expect([path, tool]).toEqual([shown, shown]);
      expect([cleanLine(`JSON ${text}`), cleanLine(`Grype ${text}`)]).toContain(format);
    }
  });

  test.each(HOSTILE)('shows it in the facts, the fence and the advice as it is: %j', (text) => {
    const take = render(text);
    const shown = cleanLine(text);
    const [facts] = take('p');
    expect(facts?.children.map((piece) => readText(piece)).join('')).toContain(` to ${shown} · `);
    const fenced = readText(...take('pre'));
    expect(fenced).toBe(`${showText([text, text, text].join('\n'))}\n`);
    const [one, other, next] = findElements(take('ul'), 'li').map((item) => readText(item));
    expect([one, other]).toEqual([shown, cleanLine(`Do ${text}`)]);
    expect(next).toMatch(/^Once that is mended/);
  });

  test('leaves the words of an advice as they are, and puts into code what is none', () => {
    const advice = ['Check base-url (30,000 bytes): https://a.example is not there; see @b.'];
    const summary = makeSummary(
      makeStep({ result: 'rejected', manifest: [], failure: { ...FAILURE, advice } }),
    );
    const [item] = findElements(expectClean(summary), 'li');
    expect(findElements(item?.children ?? [], 'code').map((code) => readText(code))).toEqual([
      'https://a.example',
      '@b',
    ]);
    expect(readText(...(item?.children ?? []))).toBe(advice[0]);
  });

  test('keeps a longer fence than any in it', () => {
    const headline = 'no\n```\n<script>alert(1)</script>\n````\n![x](y)';
    const failure = { ...FAILURE, headline, details: [], advice: [] };
    const summary = makeSummary(makeStep({ result: 'rejected', failure }));
    const fenced = expectClean(summary).find(({ name }) => name === 'pre');
    expect(readText(...(fenced?.children ?? []))).toBe(`${headline}\n`);
  });
});
