import { create } from '@actions/glob';
import { Minimatch } from 'minimatch';
import { basename } from 'node:path';
import { makeAbsolute } from '../../src/files/patterns.ts';
import type { Include } from '../../src/files/patterns.ts';
import type { Scope } from '../../src/files/search.ts';

/** A segment that starts with the dot of a hidden name. */
const HIDDEN = /^(?:\\?\.|\[\.\])/;

/**
 * The files that @actions/glob finds for a pattern. Its `excludeHiddenFiles` also drops hidden
 * files that a pattern names explicitly, so hidden files are filtered here afterwards.
 */
export async function searchPlainly(
  pattern: Include,
  { workspace, includeHidden }: Scope,
): Promise<readonly string[]> {
  const absolute = makeAbsolute(pattern.text, workspace);
  const [searchPath = workspace] = (await create(absolute)).getSearchPaths();
  const excludes = pattern.excludes.map((text) => `!${makeAbsolute(text, workspace)}`);
  const namesHidden =
    basename(searchPath).startsWith('.') ||
    pattern.text.split('/').some((name) => name !== '.' && HIDDEN.test(name));
  const globber = await create([absolute, ...excludes].join('\n'), {
    matchDirectories: false,
    excludeHiddenFiles: !includeHidden && !namesHidden,
  });
  const found = await globber.glob();
  return includeHidden ? found : found.filter(createVisibleMatcher(absolute));
}

/**
 * Whether minimatch misreads a pattern if wildcards skip hidden names: after two or more `**`, it
 * does not match a hidden name that the pattern names explicitly.
 */
export function isMisread(text: string): boolean {
  const names = text.split('/').filter((name) => name !== '');
  const segments = names.filter((name, at) => name !== '**' || names[at - 1] !== '**');
  const stars = segments.flatMap((name, at) => (name === '**' ? [at] : []));
  const rest = segments.slice((stars.at(-1) ?? 0) + 1);
  return stars.length > 1 && rest.some((name) => HIDDEN.test(name));
}

function createVisibleMatcher(pattern: string): (path: string) => boolean {
  const trimmed = pattern.replace(/\/+$/, '');
  const options = { nobrace: true, nocomment: true, noext: true, nonegate: true };
  const matchers = [trimmed, `${trimmed}/**`].map((glob) => new Minimatch(glob, options));
  return (path) => matchers.some((matcher) => matcher.match(path));
}
