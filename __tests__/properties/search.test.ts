import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StepError } from '../../src/errors.ts';
import { parsePatterns } from '../../src/files/patterns.ts';
import type { Include } from '../../src/files/patterns.ts';
import type { Scope } from '../../src/files/search.ts';
import { describePosix, hideDebugLines } from '../support/files.ts';
import { makeFolder, writeTree } from '../support/directories.ts';
import { searchInclude } from '../support/search.ts';
import { fillRoots, patternLines, removeBroken, tree, writeItems } from './search-arbitraries.ts';
import { isMisread, searchPlainly } from './search-oracle.ts';

hideDebugLines();

const RUNS = 80;
const TEXTS = 8;
const WORKSPACES = ['ws', 'ws', 'ws', '.ws', 'w[s]', 'w s', 'w*s', 'w\\s'];

/** The result of a search: paths, or `failed`. */
type Outcome = readonly string[] | 'failed';

async function searchAsBefore(include: Include, options: Scope): Promise<Outcome> {
  return searchPlainly(include, options).catch(() => 'failed' as const);
}

async function search(include: Include, options: Scope): Promise<Outcome> {
  try {
    return await searchInclude(include, options);
  } catch (error) {
    if (error instanceof StepError) return 'failed';
    throw error;
  }
}

interface Places {
  readonly options: Scope;
  readonly includes: readonly Include[];
  readonly links: readonly string[];
}

/** Runs `check` on trees in a workspace, with a directory beside it as a target of links. */
async function checkScenes(check: (places: Places) => Promise<void>): Promise<void> {
  // A link to `../..` still leads to a directory of this test.
  const top = join(await makeFolder(), 'p', 'q');
  const beside = join(top, 'beside');
  await writeTree(beside, { a: '', 'b/x.json': '', '.a/x.json': '' });
  const scenes = fc.record({
    name: fc.constantFrom(...WORKSPACES),
    root: tree([beside, join(beside, 'b'), join(beside, '.a', 'x.json')]),
    includeHidden: fc.boolean(),
    texts: fc.array(patternLines, { minLength: TEXTS, maxLength: TEXTS }),
  });
  const property = fc.asyncProperty(scenes, async ({ name, root, includeHidden, texts }) => {
    const workspace = join(top, name);
    await mkdir(workspace);
    const links = await writeItems(workspace, root);
    const includes = texts
      .flatMap((text) => parsePatterns(fillRoots(text, workspace, beside)))
      .filter(({ text }) => includeHidden || !isMisread(text));
    try {
      await check({ options: { workspace, includeHidden }, includes, links });
    } finally {
      await rm(workspace, { recursive: true });
    }
  });
  await fc.assert(property, { numRuns: RUNS });
}

async function searchAll(
  searchOne: (include: Include, options: Scope) => Promise<Outcome>,
  { includes, options }: Places,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const include of includes) outcomes.push(await searchOne(include, options));
  return outcomes;
}

// Directories that cannot be read are in the tables of __tests__/files/walk.test.ts.

describePosix('searchPattern', () => {
  // If @actions/glob fails, the search must fail too, or find what @actions/glob finds without the broken links.
  test('finds the same files as @actions/glob, in the same order', async () => {
    let found = 0;
    await checkScenes(async (places) => {
      const plain = await searchAll(searchAsBefore, places);
      const outcomes = await searchAll(search, places);
      await removeBroken(places.links);
      const complete = await searchAll(searchAsBefore, places);
      for (const [index, include] of places.includes.entries()) {
        const outcome = outcomes[index];
        const isFailed = outcome === 'failed' && plain[index] === 'failed';
        expect([include, outcome]).toEqual([include, isFailed ? 'failed' : complete[index]]);
        found += plain[index] !== 'failed' && Number(outcome?.length) > 1 ? 1 : 0;
      }
    });
    expect(found).toBeGreaterThan(RUNS / 4);
  });
});
