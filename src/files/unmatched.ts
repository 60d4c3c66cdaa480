import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import { StepError, errorCode } from '../errors.ts';
import type { FindResult, Unmatched } from './find.ts';
import { compileGlob } from './glob.ts';
import { IS_WINDOWS, displayPath, foldSpelling, isWithin } from './paths.ts';
import { searchGlob } from './search.ts';
import type { Scope } from './search.ts';

/** Where to search for what the author may mean. */
export interface HintScope extends Scope {
  /** Files of other patterns, which are not proposed. */
  readonly taken: ReadonlySet<string>;
  /** Ends the searches, which only serve a message. */
  readonly limit: AbortSignal;
}

const MATCH_FIX =
  'Correct the pattern, or the step that should have written the file: check that it ran, and the path of its output.';
/** How many patterns a message lists. */
const MAX_LISTED = 10;
/** How many files it shows for each of them. */
const MAX_SHOWN = 3;
/** Of how many files it compares the times. */
const MAX_COMPARED = 1000;

/** Other ways to write paths, and what to write here. */
const STYLES: readonly (readonly [RegExp, string])[] = [
  [/^["'].*["']$/, 'Remove the quotes.'],
  [/[{},]/, 'Write each pattern in a line of its own, without braces and commas.'],
];

/** A hidden name, unless it only keeps an empty directory in a repository. */
const HIDDEN = /(?:^|\/)\.(?!git(?:keep|ignore)$)/;

/** Where GitHub's runners, self-hosted ones and containers have the workspace and the temporary directory. */
const RUNNER =
  /^(?:\/home\/runner\/work|\/Users\/runner\/work|\/github|\/__w|[a-z]:[/\\]a|.*[/\\]_work)(?=[/\\])/i;

/** The error for a selection with patterns that match no file. */
export async function explainUnmatched(
  { files, unmatched }: FindResult,
  scope: HintScope,
): Promise<StepError> {
  const problems: string[] = [];
  let isGuess = false;
  for (const each of unmatched.slice(0, MAX_LISTED)) {
    const mistake = await findMistake(each, scope);
    isGuess ||= mistake === undefined;
    const hint = mistake ?? (await propose(each, scope));
    problems.push(`\`${each.input}\`: no file matches '${each.text}'.${hint}`);
  }
  const more = unmatched.length - problems.length;
  if (more > 0) problems.push(`And ${more} more patterns match no file.`);
  if (files.length > 0) problems.push('Every pattern must match at least one file.');
  return new StepError('files', problems.join(' '), isGuess ? MATCH_FIX : []);
}

/** Why nothing matches, with what to do about it; undefined if that is not known. */
async function findMistake(unmatched: Unmatched, scope: HintScope): Promise<string | undefined> {
  const { text, searchPath, excludes } = unmatched;
  const [runner] = RUNNER.exec(text) ?? [];
  if (runner !== undefined && (await stat(runner).catch(errorCode)) === 'ENOENT') {
    return ` This is a path of another runner, or of the host of this container: here the workspace is ${scope.workspace}, and the temporary directory ${process.env.RUNNER_TEMP ?? 'is not set'}.`;
  }
  if (!IS_WINDOWS && text.includes('\\')) {
    return " Write '/' between names: '\\' makes the next character literal.";
  }
  const style = STYLES.find(([pattern]) => pattern.test(text));
  if (style !== undefined) return ` ${style[1]}`;
  const found = await search(text, excludes, { ...scope, includeHidden: true });
  const hidden = found.filter((path) => HIDDEN.test(displayPath(path, scope.workspace)));
  if (hidden.length > 0) {
    return ` It matches hidden files (${await show(hidden, scope)}) only with \`include-hidden-files: true\`.`;
  }
  const excluded = excludes.length === 0 ? [] : await search(text, [], scope);
  if (excluded.length > 0) return ` Lines with '!' leave out ${await show(excluded, scope)}.`;
  for (const form of ['NFC', 'NFD']) {
    const other = text.normalize(form);
    const same = other === text ? [] : await search(other, excludes, scope);
    if (same.length > 0) {
      return ` ${await show(same, scope)} differs in composed or decomposed letters (Unicode ${form}): copy its name.`;
    }
  }
  const isEmpty = (await readdir(scope.workspace).catch(errorCode))?.length === 0;
  if (!isEmpty || !isWithin(searchPath, scope.workspace)) return undefined;
  return ' The workspace is empty. Download the artifact with the files first, or check out the repository.';
}

/** What is wrong with the directory, and files that may be meant. */
async function propose({ text, searchPath, excludes }: Unmatched, scope: HintScope) {
  const isWild = /[*?[]/.test(text);
  const isDirectory =
    isWild || text.endsWith('/') || (await stat(searchPath).catch(() => undefined))?.isDirectory();
  const state = await describeDirectory(isDirectory ? searchPath : dirname(searchPath), scope);
  const modules = await compileGlob('**/node_modules', scope.workspace, true);
  const all = await search('**', [...excludes, modules], scope);
  const others = all.filter((path) => !scope.taken.has(path));
  const name = foldSpelling(basename(searchPath));
  const same = isWild ? [] : others.filter((path) => foldSpelling(basename(path)) === name);
  if (same.length > 0) return `${state} Did you mean ${await show(same, scope)}?`;
  const ending = extname(text).toLowerCase();
  const like = others.filter((path) => extname(path).toLowerCase() === ending);
  if (ending === '' || like.length === 0) return state;
  return `${state} Files that end in ${ending}: ${await show(like, scope)}.`;
}

async function describeDirectory(directory: string, { workspace }: Scope): Promise<string> {
  const name = `The directory '${displayPath(directory, workspace)}'`;
  const names = await readdir(directory).catch(errorCode);
  if (names === 'ENOENT' || names === 'ENOTDIR') return ` ${name} does not exist.`;
  if (!Array.isArray(names) || names.some((each) => !each.startsWith('.'))) return '';
  return ` ${name} ${names.length > 0 ? 'has hidden files only' : 'is empty'}.`;
}

/** The files that a pattern matches; none if the limit ends the search. */
async function search(text: string, excludes: Unmatched['excludes'], scope: HintScope) {
  const glob = await compileGlob(text, scope.workspace, scope.includeHidden);
  return searchGlob(glob, excludes, scope.limit).catch((): readonly string[] => []);
}

/** Some of these files, the newest first. */
async function show(paths: readonly string[], { workspace }: Scope): Promise<string> {
  const dated = paths.slice(0, MAX_COMPARED).map(async (path) => {
    return { path, time: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
  });
  const newest = (await Promise.all(dated)).toSorted((one, other) => other.time - one.time);
  const shown = newest.slice(0, MAX_SHOWN).map(({ path }) => `'${displayPath(path, workspace)}'`);
  return shown.join(', ');
}
