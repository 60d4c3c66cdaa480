import { globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { listTree, readText } from './support/workflows.ts';

const SRC = resolve(import.meta.dirname, '..', 'src');

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

/** The modules that a directory may import (docs/architecture.md), in addition to its own. */
interface Knowledge {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/** The modules of src/ itself that every directory may import. */
const SHARED = [
  'abort.ts',
  'errors.ts',
  'html.ts',
  'json.ts',
  'situations.ts',
  'text.ts',
  'version.ts',
  'xml-tags.ts',
];

const DIRECTORIES: Readonly<Record<string, Knowledge>> = {
  inputs: {
    values: [
      'files/bounds.ts',
      'files/paths.ts',
      'files/patterns.ts',
      'files/regular-file.ts',
      'formats/bytes.ts',
      'formats/parse-json.ts',
      'service/operations.ts',
    ],
    types: ['files/find.ts', 'service/settings.ts'],
  },
  files: { values: [], types: [] },
  redaction: { values: [], types: [] },
  formats: { values: ['files/open.ts', 'files/regular-file.ts'], types: ['files/'] },
  plan: { values: ['formats/', 'service/operations.ts'], types: ['files/'] },
  service: { values: ['files/unchanged.ts', 'redaction/clean.ts'], types: ['files/open.ts'] },
  report: {
    values: [
      'inputs/base-url.ts',
      'plan/plan.ts',
      'formats/describe.ts',
      'formats/registry.ts',
      'redaction/clean.ts',
      'service/operations.ts',
      'service/judge.ts',
      'service/response.ts',
    ],
    types: ['inputs/', 'formats/', 'plan/', 'service/'],
  },
};

/** All imports in src/, of its own modules and of packages. */
const IMPORTS: readonly Import[] = globSync('**/*.ts', { cwd: SRC }).flatMap((path) => {
  const from = path.replaceAll('\\', '/');
  const source = readFileSync(join(SRC, path), 'utf8');
  const found = source.matchAll(/\bimport(?:( type)?[\s\w{},*]+ from )?\(? ?'([^']+)'/g);
  return Array.from(found, ([, type, name = '']) => ({
    from,
    to: name.startsWith('.') ? locate(from, name) : name,
    isType: type !== undefined,
  }));
});

function locate(from: string, name: string): string {
  return relative(SRC, resolve(SRC, from, '..', name)).replaceAll('\\', '/');
}

function listForbidden(isFrom: (path: string) => boolean, { values, types }: Knowledge): string[] {
  return IMPORTS.filter(({ from, to }) => isFrom(from) && to.endsWith('.ts'))
    .filter(({ to, isType }) => {
      const known = isType ? [...values, ...types] : values;
      return !known.some((way) => to.startsWith(way));
    })
    .map(({ from, to }) => `${from} imports ${to}`);
}

describe('src', () => {
  test('has imports of types and of values', () => {
    expect(IMPORTS.length).toBeGreaterThan(300);
    expect(IMPORTS).toContainEqual({ from: 'send.ts', to: 'prepare.ts', isType: true });
    const value = { from: 'formats/inspect.ts', to: 'formats/xml.ts', isType: false };
    expect(IMPORTS).toContainEqual(value);
  });

  test.each(Object.entries(DIRECTORIES))(
    '%s/ imports only permitted modules',
    (directory, knowledge) => {
      const isFrom = (path: string): boolean => path.startsWith(`${directory}/`);
      const values = [`${directory}/`, ...SHARED, ...knowledge.values];
      expect(listForbidden(isFrom, { ...knowledge, values })).toEqual([]);
    },
  );

  test.each([
    ['modules', (path: string): string => path],
    ['directories', (path: string): string => path.split('/')[0] ?? path],
  ])('has no circle of imports, types included, between %s', (_, nameOf) => {
    let left = IMPORTS.filter(({ to }) => to.endsWith('.ts'))
      .map(({ from, to }) => [nameOf(from), nameOf(to)] as const)
      .filter(([from, to]) => from !== to);
    // What imports nothing that is left is in no circle.
    for (let count = -1; count !== left.length;) {
      count = left.length;
      const importing = new Set(left.map(([from]) => from));
      left = left.filter(([, to]) => importing.has(to));
    }
    expect(left).toEqual([]);
  });

  test('shares only modules that import no other modules', () => {
    const isFrom = (path: string): boolean => SHARED.includes(path);
    expect(listForbidden(isFrom, { values: SHARED, types: [] })).toEqual([]);
  });

  test('imports @actions/core only in the listed modules', () => {
    const importing = IMPORTS.filter(({ to }) => to === '@actions/core').map(({ from }) => from);
    expect(importing.toSorted()).toEqual([
      'inputs/fields.ts',
      'report/log.ts',
      'report/outputs.ts',
    ]);
  });
});

describe('__tests__', () => {
  // An unpacked archive of the repository has no checkout, and its tests pass as well.
  test('calls git only for repositories that a test has made', () => {
    const calling = /['"`]git['" ]|\bgit\(ACTION/;
    const paths = listTree().filter((path) => /^(?:__tests__|local)\/.*\.m?[jt]s$/.test(path));
    expect(paths.filter((path) => calling.test(readText(path)))).toEqual([
      '__tests__/scripts/guide.test.ts',
      '__tests__/scripts/release-repository.ts',
    ]);
  });

  test('skips tests only by describeUnless, which has a reason', () => {
    const skipping =
      /(?:\.|\{ )(?:skip|only|todo|failing)\b|\b(?:x(?:describe|test|it)|f(?:describe|it))\(/;
    const paths = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((path) =>
      skipping.test(readFileSync(join(import.meta.dirname, path), 'utf8')),
    );
    expect(paths).toEqual([join('support', 'skip.ts')]);
  });
});
