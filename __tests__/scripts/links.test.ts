import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { listTree, readText } from '../support/repository.ts';
import { ACTION } from '../support/run-action.ts';

const PAGES = listTree().filter((path) => path.endsWith('.md'));

/** The pages as HTML, by path. */
const RENDERED = new Map(
  PAGES.map((path) => {
    const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true };
    return [path, micromark(readText(path), options)] as const;
  }),
);

/** The anchors that GitHub gives to the headings of a page. */
function listAnchors(path: string): readonly string[] {
  const headings = RENDERED.get(path)?.matchAll(/<h\d>(.*)<\/h\d>/g) ?? [];
  return Array.from(headings, ([, html = '']) =>
    html
      .replaceAll(/<[^>]*>|&\w+;/g, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/gu, '-'),
  );
}

test.each(PAGES)('%s has no broken link', (page) => {
  const targets = RENDERED.get(page)?.matchAll(/<(?:a|img)\b[^>]*? (?:href|src)="([^"]*)"/g) ?? [];
  const broken = Array.from(targets, ([, target = '']) => target).filter((target) => {
    const [path = '', anchor] = target.split('#');
    if (/^[a-z]+:/i.test(target)) return false;
    const file = path === '' ? page : join(dirname(page), decodeURIComponent(path));
    return (
      !existsSync(join(ACTION, file)) ||
      (anchor !== undefined && !listAnchors(file).includes(anchor))
    );
  });
  expect(broken).toEqual([]);
});
