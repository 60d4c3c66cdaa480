import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { makeFolder } from '../support/directories.ts';
import { findBrokenLinks, listLinks } from '../support/links.ts';
import { ACTION } from '../support/run-action.ts';
import { listTree } from '../support/workflows.ts';

const DOCUMENTS = listTree().filter((path) => path.endsWith('.md'));

test('finds the Markdown files and their links', () => {
  expect(DOCUMENTS).toEqual(expect.arrayContaining(['README.md', 'docs/troubleshooting.md']));
  const links = listLinks(readFileSync(join(ACTION, 'README.md'), 'utf8'));
  expect(links.length).toBeGreaterThan(20);
});

test.each(DOCUMENTS)('%s has no broken relative link', (path) => {
  expect(findBrokenLinks(join(ACTION, path))).toEqual([]);
});

test('a missing file and a missing anchor are broken links', async () => {
  const page = '# A heading\n\n[a](#a-heading), [b](b.md), [c](#c), `[d](d)`\n';
  const directory = await makeFolder({ 'page.md': page });
  expect(findBrokenLinks(join(directory, 'page.md'))).toEqual(['b.md', '#c']);
});
