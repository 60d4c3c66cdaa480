import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findElements, readText, renderMarkdown } from '../support/github-markdown.ts';
import { ACTION } from '../support/run-action.ts';
import { listTree } from '../support/workflows.ts';

/** The text of a page without comments, in which a tag may be open. */
function render(path: string): ReturnType<typeof renderMarkdown> {
  return renderMarkdown(readFileSync(path, 'utf8').replaceAll(/<!--.*?-->/gs, ''));
}

/** The anchors that GitHub gives to the headings of a page. */
function listAnchors(path: string): readonly string[] {
  return findElements(render(path), 'h1', 'h2', 'h3', 'h4').map(({ children }) =>
    readText(...children)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/gu, '-'),
  );
}

/** The relative links and images of a page whose file or anchor does not exist. */
function findBroken(page: string): readonly string[] {
  const targets = findElements(render(page), 'a', 'img').map(
    ({ attributes }) => attributes['href'] ?? attributes['src'] ?? '',
  );
  return targets.filter((target) => {
    const [path = '', anchor] = target.split('#');
    if (/^[a-z]+:/i.test(target)) return false;
    const file = path === '' ? page : join(dirname(page), decodeURIComponent(path));
    return !existsSync(file) || (anchor !== undefined && !listAnchors(file).includes(anchor));
  });
}

test.each(listTree().filter((path) => path.endsWith('.md')))('%s has no broken link', (path) => {
  expect(findBroken(join(ACTION, path))).toEqual([]);
});
