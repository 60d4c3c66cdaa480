import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';

const ROOT = resolve(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');

interface Import {
  readonly from: string;
  readonly to: string;
}

/**
 * The directories of src/, each line above those that its modules may import, types included (docs/architecture.md).
 * Modules of src/ itself import no directory, but those that run the step.
 */
const LAYERS = [
  [''],
  ['redaction'],
  ['files'],
  ['formats', 'service'],
  ['inputs', 'plan'],
  ['outcomes'],
  ['upload'],
  ['stages'],
  ['report'],
];
const TOP = ['index.ts', 'main.ts'];

/** All imports in src/, types included, of its own modules and of packages. */
const IMPORTS: readonly Import[] = globSync('**/*.ts', { cwd: SRC }).flatMap((path) => {
  const from = path.replaceAll('\\', '/');
  const source = readFileSync(join(SRC, path), 'utf8');
  const found = source.matchAll(/\bimport(?:(?: type)?[\s\w{},*]+ from )?\(? ?'([^']+)'/g);
  return Array.from(found, ([, name = '']) => ({
    from,
    to: name.startsWith('.') ? locate(from, name) : name,
  }));
});

function locate(from: string, name: string): string {
  return relative(SRC, resolve(SRC, from, '..', name)).replaceAll('\\', '/');
}

function findLayer(path: string): number {
  const directory = path.split('/').slice(0, -1).join('/');
  return TOP.includes(path)
    ? LAYERS.length
    : LAYERS.findIndex((layer) => layer.includes(directory));
}

/** The modules that import one of redaction/, without those in it. */
function listImporting(module: string): readonly string[] {
  return IMPORTS.filter(({ from, to }) => to === module && !from.startsWith('redaction/'))
    .map(({ from }) => from)
    .toSorted();
}

describe('src, as in docs/architecture.md, Where things are', () => {
  test('has imports of types and of values', () => {
    expect(IMPORTS.length).toBeGreaterThan(300);
    expect(IMPORTS).toContainEqual({ from: 'stages/upload.ts', to: 'outcomes/scan-result.ts' });
    expect(IMPORTS).toContainEqual({
      from: 'formats/inspect-bytes.ts',
      to: 'formats/inspect-xml.ts',
    });
  });

  test('imports nothing of a layer above', () => {
    const own = IMPORTS.filter(({ to }) => to.endsWith('.ts'));
    const upwards = own.filter(({ from, to }) => {
      const isSameDirectory = dirname(from) === dirname(to);
      return (
        findLayer(to) > findLayer(from) || (findLayer(to) === findLayer(from) && !isSameDirectory)
      );
    });
    expect(upwards.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
    expect(own.map(({ from }) => from).filter((from) => findLayer(from) < 0)).toEqual([]);
  });

  test('decides by the number of a status only in outcomes/judge, and in service/, which reads it', () => {
    const compared = /\b\w*[sS]tatus\)? *(?:===|!==|[<>]=?) *[\dA-Z]|\[(?:\d{3}, )*[1-5]\d\d\]/;
    const paths = globSync('**/*.ts', { cwd: SRC }).map((path) => path.replaceAll('\\', '/'));
    const judging = paths.filter((path) => compared.test(readFileSync(join(SRC, path), 'utf8')));
    expect(judging.filter((path) => !path.startsWith('service/'))).toEqual(['outcomes/judge.ts']);
  });

  test('makes texts safe only where they leave, and learns secrets only where they are read', () => {
    const exits = ['report/log.ts', 'report/markdown.ts', 'report/outputs.ts'];
    expect(listImporting('redaction/show.ts')).toEqual(exits);
    const reading = ['inputs/secrets.ts', 'service/auth.ts'];
    expect(listImporting('redaction/clean.ts')).toEqual([...reading, 'report/log.ts'].toSorted());
    expect(listImporting('redaction/forms.ts')).toEqual([]);
  });

  test('writes only in report/log', () => {
    const writes =
      /\bstd(?:out|err)\.write\(|\bconsole\.|\b(?:appendFileSync|writeFile|createWriteStream)/;
    const paths = globSync('**/*.ts', { cwd: SRC }).map((path) => path.replaceAll('\\', '/'));
    const writing = paths.filter((path) => writes.test(readFileSync(join(SRC, path), 'utf8')));
    expect(writing).toEqual(['report/log.ts']);
  });

  test('imports @actions/core only in the listed modules', () => {
    const importing = IMPORTS.filter(({ to }) => to === '@actions/core').map(({ from }) => from);
    const listed = ['inputs/fields.ts', 'report/log.ts'];
    expect(importing.toSorted()).toEqual(listed);
  });
});

/**
 * What src/ may have: conditions (`if`, `?:`, `&&`, `||`, `??`) in all, and regular expressions by room, those that
 * `RegExp` makes included. A change that needs more takes it from another place, or says in its commit why not.
 */
const BUDGET = {
  conditions: 1421,
  expressions: {
    '': 22,
    files: 13,
    formats: 20,
    inputs: 14,
    outcomes: 14,
    plan: 1,
    redaction: 8,
    report: 8,
    service: 39,
    stages: 0,
    upload: 0,
  },
};

/** The types of the nodes of a module's syntax tree, of conditions with their operators, of calls with what is called. */
function listSyntax(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap(listSyntax);
  if (!('type' in node) || typeof node.type !== 'string') return inner;
  const operator = 'operator' in node ? String(node.operator) : '';
  const { callee } = 'callee' in node ? node : { callee: undefined };
  const called =
    typeof callee === 'object' && callee !== null && 'value' in callee ? String(callee.value) : '';
  return [[node.type, operator, called].join(' ').trim(), ...inner];
}

const CONDITIONS = ['IfStatement', 'ConditionalExpression'].concat(
  ['&&', '||', '??'].map((operator) => `BinaryExpression ${operator}`),
);
const EXPRESSIONS = ['RegExpLiteral', 'NewExpression  RegExp', 'CallExpression  RegExp'];

function count(found: readonly string[] = [], kinds: readonly string[]): number {
  return found.filter((kind) => kinds.includes(kind)).length;
}

describe('the size of src, as in docs/architecture.md, Size', () => {
  const rooms = Map.groupBy(
    globSync('**/*.ts', { cwd: SRC }).map((path) => path.replaceAll('\\', '/')),
    (path) => path.split('/').slice(0, -1).join('/'),
  );
  const syntax = new Map(
    Array.from(rooms, ([room, paths]) => {
      const sources = paths.map((path) => readFileSync(join(SRC, path), 'utf8'));
      const trees = sources.map((source) => parseSync(source, { syntax: 'typescript' }));
      return [room, listSyntax(trees)];
    }),
  );
  test('has no more conditions than the budget', () => {
    const conditions = count([...syntax.values()].flat(), CONDITIONS);
    expect(conditions).toBeLessThanOrEqual(BUDGET.conditions);
    expect(conditions).toBeGreaterThan(BUDGET.conditions / 2);
  });

  test.each(Object.entries(BUDGET.expressions))(
    'has no more regular expressions in `%s` than the budget',
    (room, most) => {
      expect(count(syntax.get(room), EXPRESSIONS)).toBeLessThanOrEqual(most);
    },
  );

  test('has a budget for each room', () => {
    expect(Object.keys(BUDGET.expressions).toSorted()).toEqual([...rooms.keys()].toSorted());
  });
});

describe('the code, as in CONTRIBUTING.md, Make a change', () => {
  test('suppresses no rule of a check, and has no comment for the compiler', () => {
    // The brackets keep this pattern from matching itself.
    const suppressing = /@ts[-]|\b(?:ox|es)lint[-]|\bprettier[-]ignore|\b(?:istanbul|c8) ignore/;
    const directories = '{src,local,bench,scripts,stand-ins,__tests__}';
    const paths = globSync(`${directories}/**/*.{ts,mjs,cjs,js}`, { cwd: ROOT });
    expect(paths.length).toBeGreaterThan(200);
    const found = paths.filter((path) => suppressing.test(readFileSync(join(ROOT, path), 'utf8')));
    expect(found).toEqual([]);
  });
});

describe('__tests__, as in __tests__/README.md', () => {
  test('skips tests only by describeUnless, which has a reason', () => {
    const skipping =
      /(?:\.|\{ )(?:skip|only|todo|failing)\b|\b(?:x(?:describe|test|it)|f(?:describe|it))\(/;
    const paths = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((path) =>
      skipping.test(readFileSync(join(import.meta.dirname, path), 'utf8')),
    );
    expect(paths).toEqual([join('support', 'files.ts')]);
  });
});
