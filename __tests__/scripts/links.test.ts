import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { makeFolder } from '../support/directories.ts';
import { findBrokenLinks, listLinks } from '../support/links.ts';
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

const PAGE = `# One \`two\`: three

[a](docs/other.md#a-heading-1), [a](docs), [a](#one-two-three), [a](https://example.com/missing)
[\`a\`](missing-1), ![a](docs/missing-2.png), [a](docs/other.md#a-heading-2), [a](#code)
\`[a](missing)\`

\`\`\`
# Code
[a](missing)
\`\`\`

[a]: missing-3
`;

test('findBrokenLinks finds missing files and anchors, except in code', async () => {
  const other = '# Other\n\n## A heading\n\n## A heading\n';
  const directory = await makeFolder({ 'page.md': PAGE, 'docs/other.md': other });
  const missing = ['missing-1', 'docs/missing-2.png', 'docs/other.md#a-heading-2', '#code'];
  expect(findBrokenLinks(join(directory, 'page.md'))).toEqual([...missing, 'missing-3']);
});
