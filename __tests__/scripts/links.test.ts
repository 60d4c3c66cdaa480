import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeFolder } from '../support/directories.ts';
import { findBrokenLinks, listAnchors, listLinks } from '../support/links.ts';
import { ACTION } from '../support/run-action.ts';

const GIT = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'];
const DOCUMENTS = execFileSync('git', GIT, { cwd: ACTION, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => !path.startsWith('dist/'));

test('finds the Markdown files and their links', () => {
  expect(DOCUMENTS).toEqual(expect.arrayContaining(['README.md', 'docs/troubleshooting.md']));
  const links = listLinks(readFileSync(join(ACTION, 'README.md'), 'utf8'));
  expect(links.length).toBeGreaterThan(20);
});

test.each(DOCUMENTS)('%s has no broken relative link', (path) => {
  expect(findBrokenLinks(join(ACTION, path))).toEqual([]);
});

describe('findBrokenLinks', () => {
  const other = '# Other\n\n## A heading\n\n## A heading\n';

  test.each([
    ['a file that exists', '[a](docs/other.md)', []],
    ['a directory that exists', '[a](docs)', []],
    ['a missing file', '[a](docs/missing.md)', ['docs/missing.md']],
    ['a missing picture', '![a](docs/missing.png)', ['docs/missing.png']],
    ['a missing file of a reference', '[a]: docs/missing.md', ['docs/missing.md']],
    ['an anchor of another file', '[a](docs/other.md#a-heading)', []],
    ['the second of two equal headings', '[a](docs/other.md#a-heading-1)', []],
    [
      'a third of two equal headings',
      '[a](docs/other.md#a-heading-2)',
      ['docs/other.md#a-heading-2'],
    ],
    ['a missing anchor of another file', '[a](docs/other.md#b)', ['docs/other.md#b']],
    ['an anchor of the same file', '# One `two`: three\n\n[a](#one-two-three)', []],
    ['a missing anchor of the same file', '# One\n\n[a](#two)', ['#two']],
    ['an anchor that only a code block has', '```\n# Two\n```\n\n[a](#two)', ['#two']],
    ['a link in a code block', '```\n[a](missing)\n```', []],
    ['a link in inline code', '`[a](missing)`', []],
    ['a link whose text is code', '[`a`](missing)', ['missing']],
    ['an absolute URL', '[a](https://example.com/missing)', []],
  ])('checks %s', async (_, markdown, broken) => {
    const directory = await makeFolder({ 'page.md': markdown, 'docs/other.md': other });
    expect(findBrokenLinks(join(directory, 'page.md'))).toEqual(broken);
  });
});

test('listAnchors returns the anchors that GitHub generates', () => {
  const headings = '# The `scans` file\n## Pull requests, forks\n### [A link](b.md)\n## É_1 – 2\n';
  expect(listAnchors(headings)).toEqual([
    'the-scans-file',
    'pull-requests-forks',
    'a-link',
    'é_1--2',
  ]);
});
