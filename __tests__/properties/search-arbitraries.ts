import * as fc from 'fast-check';
import { chmod, mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../src/errors.ts';
import { escapeGlob } from '../../src/files/patterns.ts';

/** An entry of a directory: a file, a directory with its entries, or a link with its target. */
export type Item = 'file' | Directory | { readonly link: string };
/** A directory with its entries by name. */
export interface Directory {
  readonly isClosed: boolean;
  readonly items: Readonly<Record<string, Item>>;
}

const NAMES = ['a', 'b', 'ab', 'x.json', 'b.json', '.a', '.b.json', 'node_modules', 'a b', 'aabab'];
/** Names with a meaning in patterns or lines, or that sort differently from their code units. */
const ODD_NAMES = ['[a]', '*', 'a\\b', '?', 'a\nb', '{a,b}', '#a', '!a', ' ', '-', '\uFFFD', '😀'];
const TARGETS = ['.', '..', '../..', 'a/b', '../b/a', 'x.json', 'nowhere', '.a', 'x.json/y'];

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_NAMES) },
);

/** A tree of directories, with links to `targets`, and unreadable directories if `closes`. */
export function tree(targets: readonly string[], closes = false): fc.Arbitrary<Directory> {
  const link = fc.record({ link: fc.constantFrom(...TARGETS, ...targets) });
  const isClosed = closes ? fc.nat(5).map((number) => number === 0) : fc.constant(false);
  const grow = (depth: number): fc.Arbitrary<Directory> => {
    const leaves = [
      { weight: 4, arbitrary: fc.constant<Item>('file') },
      { weight: 1, arbitrary: link },
    ];
    const directories = depth > 0 ? [{ weight: 5, arbitrary: grow(depth - 1) }] : [];
    const items = fc.dictionary(
      name,
      fc.oneof<fc.WeightedArbitrary<Item>[]>(...leaves, ...directories),
      {
        maxKeys: 4,
        noNullPrototype: true,
      },
    );
    return fc.record({ isClosed, items });
  };
  return grow(3).map(({ items }) => ({ isClosed: false, items }));
}

/** Paths that are hard to search: directories to make unreadable, outer ones first, and links. */
export interface Hardships {
  readonly directories: string[];
  readonly links: string[];
}

/** Writes a tree into an existing directory; all of it is readable. */
export async function writeItems(
  directory: string,
  { items }: Directory,
  hardships: Hardships = { directories: [], links: [] },
): Promise<Hardships> {
  for (const [key, item] of Object.entries(items)) {
    const path = join(directory, key);
    if (item === 'file') await writeFile(path, '');
    else if ('link' in item) {
      await symlink(item.link, path);
      hardships.links.push(path);
    } else {
      await mkdir(path);
      if (item.isClosed) hardships.directories.push(path);
      await writeItems(path, item, hardships);
    }
  }
  return hardships;
}

export async function close({ directories }: Hardships): Promise<void> {
  for (const directory of directories.toReversed()) await chmod(directory, 0);
}

/** Makes directories readable again, and removes links that loop or lead through a file. */
export async function reopen({ directories, links }: Hardships): Promise<void> {
  for (const directory of directories) await chmod(directory, 0o700);
  const causes = await Promise.all(links.map((link) => stat(link).then(() => '', errorCode)));
  for (const [index, link] of links.entries()) {
    if (['ELOOP', 'ENOTDIR'].includes(causes[index] ?? '')) await rm(link);
  }
}

const COMMON = ['**', '**', '**', '**', '*', '*', '*', '?', '*.json', '*.json', '.*', '***'];
const MIXED = ['a*', '*b', '*a*b*', '*a*b*a*', '*a*?*b', '*a*a*a*b*', '?*[ab]*b*', '?b', 'a?b'];
const CLASSES = ['[ab]', '[!a]', '[a-b]*', '[.]a', '[[]a]', '[a]', '[*]', '[^.]*'];
const ESCAPES = ['\\.a', '\\*', 'a\\\\b', '\\a'];
/** Segments without wildcards, and with wildcards of other glob libraries only. */
const OTHERS = ['[a', '[!]', '[]a]', '{a,b}', '+(a)', '#a', '!a', 'é', '.', '..'];

const segment = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...COMMON, ...MIXED, ...CLASSES, ...ESCAPES, ...OTHERS) },
  { weight: 3, arbitrary: fc.constantFrom(...NAMES) },
);

/** Placeholders at the start of a pattern: the workspace, and a directory beside it. */
export const ROOTS = { workspace: '@workspace', beside: '@beside' };

const begin = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constant('./') },
  { weight: 2, arbitrary: fc.constantFrom(`${ROOTS.workspace}/`, `${ROOTS.beside}/`) },
);
const middle = fc
  .tuple(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.constantFrom('/', '/', '/', '//'))
  .map(([segments, separator]) => segments.join(separator));
const end = fc.constantFrom('', '', '', '', '/', '/**', '/*', '//');
const whole = fc.constantFrom('.', './', '**', '~/none/*', ...Object.values(ROOTS));
const pattern = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(begin, middle, end).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: whole },
);
const line = fc
  .tuple(fc.constantFrom('', '', '!', '!', '!!'), pattern)
  .map((parts) => parts.join(''));

/** Lines of patterns, with excludes before and after the patterns that they apply to. */
export const patternLines = fc
  .tuple(fc.array(line, { maxLength: 2 }), pattern, fc.array(line, { maxLength: 3 }))
  .map(([before, include, after]) => [...before, include, ...after].join('\n'));

/** Pattern lines with paths in place of the placeholders. */
export function fillRoots(text: string, workspace: string, beside: string): string {
  return text
    .replaceAll(ROOTS.workspace, () => escapeGlob(workspace))
    .replaceAll(ROOTS.beside, () => escapeGlob(beside));
}
