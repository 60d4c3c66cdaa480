import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ACTION } from '../support/run-action.ts';
import { listDeclared, listTree, readMembers, readText } from '../support/workflows.ts';

const TREE = listTree();
const PAGES = TREE.filter((path) => path.endsWith('.md'));
const MODULES = TREE.filter((path) => path.startsWith('src/'));

/** What the first group of a pattern matches in a text. */
function findAll(text: string, pattern: RegExp): readonly string[] {
  return Array.from(text.matchAll(pattern), ([, found = '']) => found);
}

/** The names in backticks that stand before or after a word, also several (`a`, `b` and `c`). */
function listNamed(text: string, word: string): readonly string[] {
  const names = '((?:`[^`\\n]+`(?:, | and | or )?)+)';
  const around = [`\\b${word}s? ${names}`, `${names}(?<=\`) ${word}s?\\b`];
  const lists = around.flatMap((pattern) => findAll(text, new RegExp(pattern, 'gi')));
  return findAll(lists.join(' '), /`([^`]+)`/g);
}

/** Whether a path exists: from the root, or from a directory below it; a module may lack its extension. */
function exists(path: string): boolean {
  const part = `/${path.replace(/\/$/, '')}`;
  const isIn = (whole: string): boolean =>
    [`${part}/`, `${part}.`].some((end) => whole.includes(end));
  return existsSync(join(ACTION, path)) || TREE.some((file) => isIn(`/${file}/`));
}

test.each(['input', 'output'] as const)('texts name only %ss that action.yml has', (word) => {
  const texts = [...PAGES, ...MODULES].map((path) => readText(path).replaceAll('\\`', '`'));
  const names = texts.flatMap((text) => listNamed(text, word));
  const known = listDeclared(`${word}s`);
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
});

describe.each(['CONTRIBUTING.md', 'docs/architecture.md'])('%s', (page) => {
  const text = readText(page);

  test('names only files and directories that exist', () => {
    const names = findAll(
      text,
      /`(?:bash |npm test -- )?([\w.-]+(?:\/[\w./-]*|\.(?:json|ts|yml)|-version))`/g,
    );
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
  const scripts = Object.keys(
    readMembers(readMembers(JSON.parse(readText('package.json')))['scripts']),
  );
  expect(names.filter((name) => !scripts.includes(name))).toEqual([]);
});

test('docs/architecture.md names only modules that exist, in the row of their directory', () => {
  const rows = readText('docs/architecture.md').matchAll(/^\| `([a-z]+)\/` +\| (.*)$/gm);
  const names = Array.from(rows, ([, directory = '', cell = '']) =>
    findAll(cell.replaceAll(/\([^)]*\)/g, ''), /`([a-z-]+)`/g).map((name) =>
      directory === 'src' ? `src/${name}.ts` : `src/${directory}/${name}.ts`,
    ),
  ).flat();
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !MODULES.includes(name))).toEqual([]);
});
