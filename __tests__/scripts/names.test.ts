import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { listNames, listTree, readText } from '../support/repository.ts';
import { ACTION } from '../support/run-action.ts';

const TREE = listTree();
const MODULES = TREE.filter((path) => path.startsWith('src/'));

/** What the first group of a pattern matches in a text. */
function findAll(text: string, pattern: RegExp): readonly string[] {
  return Array.from(text.matchAll(pattern), ([, found = '']) => found);
}

/** Whether a path exists: from the root, or from a directory below it; a module may lack its extension. */
function exists(path: string): boolean {
  const part = `/${path.replace(/\/$/, '')}`;
  const isIn = (whole: string): boolean =>
    [`${part}/`, `${part}.`].some((end) => whole.includes(end));
  return existsSync(join(ACTION, path)) || TREE.some((file) => isIn(`/${file}/`));
}

describe.each(['CONTRIBUTING.md', 'docs/architecture.md'])('%s', (page) => {
  const text = readText(page);

  test('names only files and directories that exist', () => {
    const pattern = /`(?:bash |npm test -- )?([\w.-]+(?:\/[\w./-]*|\.(?:json|ts|yml)|-version))`/g;
    const names = findAll(text, pattern);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !exists(name))).toEqual([]);
  });

  test('names only functions, types and constants that are defined, in the file beside them', () => {
    const named = Array.from(text.matchAll(/`(\w*[A-Z]\w*)`(?: in `([^`]+)`)?/g));
    const missing = named.filter(([, name, file]) => {
      const definition = new RegExp(`\\b(?:class|const|function|interface|type) ${name}\\b`);
      return !(file === undefined ? MODULES : [file]).some((path) =>
        definition.test(readText(path)),
      );
    });
    expect(missing.map(([found]) => found)).toEqual([]);
  });
});

test('CONTRIBUTING.md names only npm scripts that exist', () => {
  const names = findAll(readText('CONTRIBUTING.md'), /(?:`|^)npm (?:run )?((?!ci\b)[a-z:]+)/gm);
  expect(names.length).toBeGreaterThan(5);
  const scripts = listNames(JSON.parse(readText('package.json')), 'scripts');
  expect(scripts).toEqual(expect.arrayContaining([...names]));
});

test('docs/architecture.md names only modules that exist, in the line of their directory', () => {
  const rows = readText('docs/architecture.md').matchAll(/^- \*\*`([a-z]+)\/`\*\*: (.*)$/gm);
  const names = Array.from(rows, ([, directory = '', cell = '']) =>
    findAll(cell.replaceAll(/\([^)]*\)/g, ''), /`([a-z-]+)`/g).map((name) =>
      directory === 'src' ? `src/${name}.ts` : `src/${directory}/${name}.ts`,
    ),
  ).flat();
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !MODULES.includes(name))).toEqual([]);
});
