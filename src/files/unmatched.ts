import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { StepError } from '../errors.ts';
import { joinTexts } from '../text.ts';
import type { FindResult, Unmatched } from './find.ts';
import { compileGlob } from './glob.ts';
import type { Glob } from './glob.ts';
import { findMistake } from './mistakes.ts';
import { displayPath, foldSpelling, isWithin } from './paths.ts';
import { isWild } from './patterns.ts';
import { searchGlob } from './search.ts';
import type { Scope } from './search.ts';

/** Where to search for what the author may mean. */
interface HintScope extends Scope {
  /** Files of other patterns, which are not proposed. */
  readonly taken: ReadonlySet<string>;
  /** Ends the searches, which only serve a message. */
  readonly limit: AbortSignal;
}

const PATTERN_FIX = 'Check the pattern, and where the scan step writes the file.';
/** How many patterns a message names. */
const MAX_NAMED_PATTERNS = 10;
/** How many files a message shows for each pattern. */
const MAX_SHOWN_FILES = 3;

/** Where an expression may have been that is empty: a name that is missing, or of which only the ending is left. */
const EMPTY = /\/(?=\/)|(?<=^|\/)\.(?:json|sarif|xml)$/i;

/** Hidden names that only keep an empty directory in a repository. */
const KEEPERS = ['.gitkeep', '.gitignore'];

/** Where GitHub's runners, self-hosted ones and containers have the workspace and the temporary directory. */
const RUNNER =
  /^(?:\/home\/runner\/work|\/Users\/runner\/work|\/github|\/__w|[a-z]:[/\\]a|.*[/\\]_work)(?=[/\\])/i;

/** Returns the error for a selection with patterns that match no file. Searches end at `limit`. */
export async function explainUnmatched(
  { files, unmatched }: FindResult,
  scope: Scope,
  limit: AbortSignal,
): Promise<StepError> {
  const hints = { ...scope, limit, taken: new Set(files.map(({ path }) => path)) };
  // What is wrong with several patterns is said once.
  const sentences = new Set<string>();
  let fix: readonly string[] = [];
  for (const each of unmatched.slice(0, MAX_NAMED_PATTERNS)) {
    sentences.add(`\`${each.input}\`: no file matches '${each.glob.text}'.`);
    const mistake = await diagnose(each, hints);
    if (mistake === undefined) {
      fix = [PATTERN_FIX];
      sentences.add(await propose(each, hints));
    } else sentences.add(mistake);
  }
  const others = unmatched.length - MAX_NAMED_PATTERNS;
  if (others > 0) sentences.add(`${others} more patterns match no file.`);
  if (files.length > 0) sentences.add('Every pattern must match at least one file.');
  return new StepError('files', joinTexts([...sentences], ' '), fix);
}

/** Why nothing matches, with what to do about it; undefined if that is not known. */
async function diagnose(
  { input, glob: { text, searchPath }, excludes }: Unmatched,
  scope: HintScope,
): Promise<string | undefined> {
  const [runner] = RUNNER.exec(text) ?? [];
  if (runner !== undefined && (await findStats(runner)) === undefined) {
    const here = [scope.workspace, process.env.RUNNER_TEMP].filter((path) => path !== undefined);
    return `Write a path in ${here.join(' or ')}: this is one of another machine.`;
  }
  const mistake = findMistake(text, input);
  if (mistake !== undefined) return mistake;
  const found = await findPaths(text, excludes, { ...scope, includeHidden: true });
  const hidden = found.filter((path) => !KEEPERS.includes(basename(path)));
  if (hidden.length > 0) {
    return `Set \`include-hidden-files: true\` to match ${await nameNewest(hidden, scope)}.`;
  }
  const excluded = excludes.length === 0 ? [] : await findPaths(text, [], scope);
  if (excluded.length > 0) return `Lines with '!' leave out ${await nameNewest(excluded, scope)}.`;
  const isEmpty = (await listNames(scope.workspace))?.length === 0;
  if (!isEmpty || !isWithin(searchPath, scope.workspace)) return undefined;
  return 'The workspace is empty: download the artifact with the files first, or check out the repository.';
}

/** What is wrong with the directory, and files that may be meant; empty if nothing is known. */
async function propose(unmatched: Unmatched, scope: HintScope): Promise<string> {
  const { searchPath, text } = unmatched.glob;
  const isDirectory = isWild(text) || (await findStats(searchPath))?.isDirectory();
  const directory = isDirectory ? searchPath : dirname(searchPath);
  // A search of the workspace does not see such a directory. The root has only files of the system.
  const isOutside = !isWithin(directory, scope.workspace) && dirname(directory) !== directory;
  const near = isOutside ? await describeSimilar(await listFiles(directory), unmatched, scope) : '';
  if (near !== '') return near;
  // Packages have many files that are no scans.
  const modules = await compileGlob('**/node_modules', scope.workspace, true);
  const found = await findPaths('**', [...unmatched.excludes, modules], scope);
  const far = await describeSimilar(found, unmatched, scope);
  const state = await describeDirectory(directory, scope.workspace);
  return joinTexts([state, await explainAbsence(unmatched.glob), far], ' ');
}

/** Why a path may not be there; empty if it has nothing special. */
async function explainAbsence({ text, searchPath }: Glob): Promise<string> {
  const missing = await findMissing(searchPath);
  if (missing === undefined) return '';
  const isAtRoot = text.startsWith('/') && dirname(missing) === dirname(dirname(missing));
  const [gap] = isAtRoot ? ['/'] : (EMPTY.exec(text) ?? []);
  if (gap !== undefined) return `Check that the expression before '${gap}' is not empty.`;
  if (basename(missing).startsWith('.')) {
    return 'For a file from an artifact, set `include-hidden-files: true` of actions/upload-artifact too.';
  }
  const { RUNNER_TEMP: temporary = '' } = process.env;
  if (temporary === '' || !isWithin(searchPath, temporary)) return '';
  return 'Pass a file of another job on as an artifact: the temporary directory is emptied for each job.';
}

/** Returns the first part of a path that leads to nothing; undefined if the whole path leads somewhere. */
async function findMissing(path: string): Promise<string | undefined> {
  if ((await findStats(path)) !== undefined) return undefined;
  const above = dirname(path);
  return (above === path ? undefined : await findMissing(above)) ?? path;
}

/** Names files with a name like that of a pattern, and without a pattern of their own; empty if there are none. */
async function describeSimilar(
  found: readonly string[],
  { glob: { text, searchPath } }: Unmatched,
  scope: HintScope,
): Promise<string> {
  const paths = found.filter((path) => !scope.taken.has(path));
  const twin = paths.find(
    (path) => path !== searchPath && path.normalize() === searchPath.normalize(),
  );
  if (twin !== undefined) {
    return `'${displayPath(twin, scope.workspace)}' differs only in composed or decomposed letters (Unicode): copy its name.`;
  }
  const name = foldSpelling(basename(searchPath));
  const same = isWild(text) ? [] : paths.filter((path) => foldSpelling(basename(path)) === name);
  if (same.length > 0) return `Did you mean ${await nameNewest(same, scope)}?`;
  const ending = extname(text).toLowerCase();
  const like = paths.filter((path) => extname(path).toLowerCase() === ending);
  if (ending === '' || like.length === 0) return '';
  return `Files that end in ${ending}: ${await nameNewest(like, scope)}.`;
}

/** Whether a directory is missing or empty, in a sentence. One that cannot be read has ended the search before. */
async function describeDirectory(directory: string, workspace: string): Promise<string> {
  const name = `The directory '${displayPath(directory, workspace)}'`;
  const names = await listNames(directory);
  if (names === undefined) return `${name} does not exist.`;
  return names.length === 0 ? `${name} is empty.` : '';
}

/** The names in a directory; undefined if there is none. */
async function listNames(directory: string): Promise<readonly string[] | undefined> {
  return readdir(directory).catch(() => undefined);
}

/** The paths in a directory that are not hidden; none if there is no such directory. */
async function listFiles(directory: string): Promise<readonly string[]> {
  const names = (await listNames(directory)) ?? [];
  return names.filter((name) => !name.startsWith('.')).map((name) => join(directory, name));
}

/** What a path leads to; undefined if that is nothing. */
async function findStats(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

/** The files that a pattern matches; none if the limit ends the search. */
async function findPaths(text: string, excludes: readonly Glob[], scope: HintScope) {
  const { workspace, includeHidden, limit } = scope;
  const glob = await compileGlob(text, workspace, includeHidden);
  return searchGlob(glob, excludes, workspace, limit).catch((): readonly string[] => []);
}

/** Names some of these files, the newest first. */
async function nameNewest(paths: readonly string[], { workspace }: Scope): Promise<string> {
  const dated = paths.map(async (path) => {
    return { path, time: (await findStats(path))?.mtimeMs ?? 0 };
  });
  const newest = (await Promise.all(dated)).toSorted((one, other) => other.time - one.time);
  const shown = newest.slice(0, MAX_SHOWN_FILES);
  return shown.map(({ path }) => `'${displayPath(path, workspace)}'`).join(', ');
}
