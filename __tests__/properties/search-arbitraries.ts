import * as fc from 'fast-check';
import { mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../src/errors.ts';

/** An entry of a directory: a file, a link with its target, or a directory with its entries by name. */
type Item = 'file' | { readonly link: string } | { readonly items: Items };
type Items = Readonly<Record<string, Item>>;

const NAMES = ['a', 'b', 'ab', 'x.json', 'b.json', '.a', '.b.json', 'node_modules', 'a b', 'aabab'];
/** Names with a meaning in patterns or lines, or that sort differently from their code units. */
const ODD_NAMES = ['[a]', '*', 'a\\b', '?', 'a\nb', '{a,b}', '#a', '!a', ' ', '-', '\uFFFD', '😀'];
const TARGETS = ['.', '..', '../..', 'a/b', '../b/a', 'x.json', 'nowhere', '.a', 'x.json/y'];

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_NAMES) },
);

const OPTIONS = { maxKeys: 4, noNullPrototype: true };

/** A tree of directories, with links to `targets` and within the tree. */
export function tree(targets: readonly string[]): fc.Arbitrary<Items> {
  const link = fc.record({ link: fc.constantFrom(...TARGETS, ...targets) });
  const leaves: fc.WeightedArbitrary<Item>[] = [
    { weight: 4, arbitrary: fc.constant('file' as const) },
    { weight: 1, arbitrary: link },
  ];
  const grow = (depth: number): fc.Arbitrary<Items> => {
    if (depth === 0) return fc.dictionary(name, fc.oneof(...leaves), OPTIONS);
    const directory = fc.record({ items: grow(depth - 1) });
    const item = fc.oneof(...leaves, { weight: 5, arbitrary: directory });
    return fc.dictionary(name, item, OPTIONS);
  };
  return grow(3);
}

/** Writes a tree into an existing directory. Returns the paths of its links. */
export async function writeItems(directory: string, items: Items): Promise<readonly string[]> {
  const links: string[] = [];
  for (const [key, item] of Object.entries(items)) {
    const path = join(directory, key);
    if (item === 'file') await writeFile(path, '');
    else if ('link' in item) {
      await symlink(item.link, path);
      links.push(path);
    } else {
      await mkdir(path);
      links.push(...(await writeItems(path, item.items)));
    }
  }
  return links;
}

/** Removes the links that loop or lead through a file. */
export async function removeBroken(links: readonly string[]): Promise<void> {
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
const ROOTS = { workspace: '@workspace', beside: '@beside' };

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
    .replaceAll(ROOTS.workspace, () => workspace.replace(/[[?*]/g, '[$&]'))
    .replaceAll(ROOTS.beside, () => beside.replace(/[[?*]/g, '[$&]'));
}
