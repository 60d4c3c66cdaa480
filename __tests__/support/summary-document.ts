import { expect } from '@jest/globals';
import type { Element } from './github-markdown.ts';
import { findElements, listBlocks, listLinked, renderMarkdown } from './github-markdown.ts';

/** The elements that a summary may contain, with the attributes that the renderer sets. */
const ELEMENTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  h3: {},
  p: {},
  strong: {},
  ul: {},
  li: {},
  pre: {},
  code: { class: ['language-text'] },
  table: {},
  thead: {},
  tbody: {},
  tr: {},
  th: { align: ['left', 'right'] },
  td: { align: ['left', 'right'] },
  details: {},
  summary: {},
};

function isExpected({ name, attributes }: Element): boolean {
  const allowed = ELEMENTS[name];
  if (allowed === undefined) return false;
  return Object.entries(attributes).every(([key, value]) => allowed[key]?.includes(value));
}

/** Renders a summary, and checks that it has no unexpected elements. Returns its blocks. */
export function expectClean(summary: string): readonly Element[] {
  const pieces = renderMarkdown(summary);
  expect(findElements(pieces).filter((element) => !isExpected(element))).toEqual([]);
  expect(listLinked(pieces)).toEqual([]);
  return listBlocks(pieces);
}
