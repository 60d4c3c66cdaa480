import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { StepError, errorCode } from '../errors.ts';
import { measureDistance } from '../text.ts';
import type { FindResult, Unmatched } from './find.ts';
import { compileGlob } from './glob.ts';
import { IS_WINDOWS, displayPath } from './paths.ts';
import { escapeGlob } from './patterns.ts';
import { searchGlob } from './search.ts';
import type { Scope } from './search.ts';

const MATCH_FIX =
  'Correct the pattern, or the step that should have written the file: check that it ran, and the path of its output.';
const EMPTY =
  ' The workspace is empty. Download the artifact with the files first, or check out the repository.';
/** How many patterns without a match a message lists. */
const MAX_LISTED = 10;
/** How many files it proposes for each of them. */
const MAX_PROPOSED = 3;
/** Of how many files the names or times are compared: two long names take 0.3 ms. */
const MAX_COMPARED = 1000;
/** How long a step may search after the first pattern without a match, in milliseconds: it only serves a message. */
const MAX_MS = 1000;

/** Other ways to write paths, and what to write here. */
const STYLES: readonly (readonly [RegExp, string])[] = [
  [IS_WINDOWS ? /(?!)/ : /\\/, "Write '/' between names: '\\' makes the next character literal."],
  [/^(["']).*\1$/, 'Remove the quotes.'],
  [
    /^~|\$\w|%\w+%/,
    '`~` and variables of the shell are not replaced: write a path from the workspace, or an expression such as `${{ runner.temp }}`.',
  ],
  [/\{[^{}]*,[^{}]*\}/, 'Braces stand for themselves: write each pattern in a line of its own.'],
  [/,\s+\S|\.\w+,/, 'Write each pattern in a line of its own, without commas.'],
  [/\s#/, '`#` begins a comment only at the start of a line.'],
  [/^\[.*\]$/s, 'Write each pattern in a line of its own, without brackets, quotes and commas.'],
  [/\.[a-z]+\s+\S+\.[a-z]+$/i, 'Write each pattern in a line of its own.'],
];

/**
 * The beginning of an absolute path that may be the workspace of another runner: it ends in the repository's name twice.
 * In a container `github.workspace` is still the host's path, which need not be in one of GitHub's own directories.
 */
const WORKSPACE =
  /^(?:(?:[a-zA-Z]:)?[/\\](?:.*?[/\\])??(?:(_?work|__w|a)[/\\])?([^/\\]+)[/\\]\2|\/github\/workspace)(?=[/\\]|$)/;

/** Ends the searches of a step; hundreds of its scans may have missing files. */
const limits = new WeakMap<Scope, AbortSignal>();

/**
 * The error for a selection with patterns that match no file; it proposes no file in `taken`, which belong
 * to other patterns.
 */
export async function explainUnmatched(
  { files, unmatched }: FindResult,
  scope: Scope,
  taken: ReadonlySet<string>,
): Promise<StepError> {
  const problems: string[] = [];
  let isGuess = false;
  for (const each of unmatched.slice(0, MAX_LISTED)) {
    const mistake = await findMistake(each, scope);
    isGuess ||= mistake === undefined;
    const hint = mistake ?? (await propose(each, scope, taken));
    problems.push(`\`${each.input}\`: no file matches '${each.text}'.${hint}`);
  }
  const more = unmatched.length - problems.length;
  if (more > 0) problems.push(`And ${more} more patterns match no file.`);
  if (files.length > 0) problems.push('Every pattern must match at least one file.');
  return new StepError('files', problems.join(' '), isGuess ? MATCH_FIX : []);
}

/** The error for at least three patterns whose files all exist below one other directory, such as that of an artifact. */
export async function explainMoved(
  unmatched: readonly Unmatched[],
  scope: Scope,
): Promise<StepError | undefined> {
  const { workspace } = scope;
  const locate = ({ text }: Unmatched) => displayPath(resolve(workspace, text), workspace);
  const [first] = unmatched;
  if (first === undefined || unmatched.length < 3) return undefined;
  const [path] = await search({ ...first, text: `**/${locate(first)}` }, scope);
  if (path === undefined) return undefined;
  const names = displayPath(path, workspace).split('/');
  const directory = names.slice(0, -locate(first).split('/').length).join('/');
  for (const each of unmatched) {
    const text = `${escapeGlob(directory)}/${locate(each)}`;
    if ((await search({ ...each, text }, scope)).length === 0) return undefined;
  }
  const problem = `All ${unmatched.length} missing files exist below '${directory}/'.`;
  const fix = `Write '${directory}/' before each path, or download the artifact into the workspace (\`actions/download-artifact\` with \`name\`, without \`path\`).`;
  return new StepError('files', problem, fix);
}

/** Why nothing matches, with what to do about it; undefined if that is not known. */
async function findMistake(unmatched: Unmatched, scope: Scope): Promise<string | undefined> {
  const { input, text, searchPath, excludes } = unmatched;
  const { workspace } = scope;
  const [other, runner, name] = WORKSPACE.exec(text) ?? [];
  const isOwn = [workspace, dirname(workspace)].every((path) => basename(path) === name);
  const isRunner = runner !== undefined || name === undefined || isOwn;
  if (other !== undefined && isRunner && (await inspect(other)) === undefined) {
    return ` This is a path of another kind of runner: here the workspace is ${workspace}. Write the path relative to it.`;
  }
  const parts = text.split(/\s+/).filter((part) => !part.startsWith('!'));
  const found = parts.map(async (part) => search({ ...unmatched, text: part }, scope));
  if (parts.length > 1 && (await Promise.all(found)).every((paths) => paths.length > 0)) {
    return ` Write \`${input}: |\`, and each pattern in a line of its own: \`>\` joins lines.`;
  }
  const style = STYLES.find(([pattern]) => pattern.test(text));
  if (style !== undefined) return ` ${style[1]}`;
  const below = /^\/+(?=[^/])(.*)/.exec(text)?.[1];
  if (below && (await search({ ...unmatched, text: below }, scope)).length > 0) {
    return ` '${below}' is in the workspace: is the expression before the '/' empty?`;
  }
  const late = await search(unmatched, scope);
  if (late.length > 0) {
    return ` ${show(late, scope)} appeared after the search: is the scan step still running?`;
  }
  const names = await search(unmatched, scope, true);
  // A directory that only they keep in a repository is empty.
  const hidden = names.filter((path) => !/^\.git(?:keep|ignore)$/.test(basename(path)));
  if (hidden.length > 0) {
    return ` It matches hidden files (${show(hidden, scope)}) only with \`include-hidden-files: true\`.`;
  }
  const excluded = excludes.length === 0 ? [] : await search({ ...unmatched, excludes: [] }, scope);
  if (excluded.length > 0) return ` Lines with '!' leave out ${show(excluded, scope)}.`;
  const literal = await search({ ...unmatched, text: text.replaceAll('[', '[[]') }, scope);
  if (literal.length > 0) return ' A literal [ is written [[].';
  const isInside = !relative(workspace, searchPath).startsWith('..');
  return isInside && (await readdir(workspace).catch(errorCode))?.length === 0 ? EMPTY : undefined;
}

/** What is wrong with the directory, and files that may be meant. */
async function propose(unmatched: Unmatched, scope: Scope, taken: ReadonlySet<string>) {
  const { text, searchPath, excludes } = unmatched;
  const isWild = /[*?]/.test(text);
  const isDirectory = isWild || text.endsWith('/') || (await inspect(searchPath))?.isDirectory();
  const state = await describeDirectory(isDirectory ? searchPath : dirname(searchPath), scope);
  const modules = await compileGlob('**/node_modules', scope.workspace, true);
  const all = await search({ ...unmatched, text: '**', excludes: [...excludes, modules] }, scope);
  const others = all.filter((path) => !taken.has(path));
  const similar = isWild ? [] : listSimilar(searchPath, others, scope);
  if (similar.length > 0) return `${state} Did you mean ${show(similar, scope)}?`;
  const ending = /\.\w+$/.exec(text)?.[0].toLowerCase();
  const newest = await listNewest(others.filter((path) => extname(path).toLowerCase() === ending));
  if (ending === undefined || newest.length === 0) return state;
  return `${state} ${ending.slice(1).toUpperCase()} files here: ${show(newest, scope)}.`;
}

async function describeDirectory(directory: string, { workspace }: Scope): Promise<string> {
  const isRoot = directory === workspace;
  const name = isRoot ? 'The workspace' : `The directory '${displayPath(directory, workspace)}'`;
  const names = await readdir(directory).catch(errorCode);
  if (names === 'ENOENT' || names === 'ENOTDIR') return ` ${name} does not exist.`;
  if (!Array.isArray(names) || names.some((each) => !each.startsWith('.'))) return '';
  if (names.length > 0) return ` ${name} has hidden files only.`;
  return ` ${name} is empty.`;
}

function show(paths: readonly string[], { workspace }: Scope): string {
  const shown = paths.slice(0, MAX_PROPOSED).map((path) => `'${displayPath(path, workspace)}'`);
  return shown.join(', ');
}

/** The files that a pattern matches, as far as they are found in the time that is left. */
async function search({ text, excludes }: Unmatched, scope: Scope, hidden = scope.includeHidden) {
  const limit = limits.get(scope) ?? AbortSignal.timeout(MAX_MS);
  limits.set(scope, limit);
  const glob = await compileGlob(text, scope.workspace, hidden);
  const paths: string[] = [];
  await searchGlob(glob, excludes, limit, paths).catch(() => {});
  return paths;
}

/**
 * Files whose paths end in a missing one, then those with a name that is the same or differs in few characters, first
 * in a directory of the same name: reports of several services often differ in it alone.
 */
function listSimilar(missing: string, paths: readonly string[], { workspace }: Scope) {
  const [name, parent] = [basename(missing).toLowerCase(), basename(dirname(missing))];
  const end = join(sep, relative(workspace, missing));
  const most = Math.max(1, Math.floor(name.length / 4));
  return paths
    .map((path) => {
      const own = basename(path).toLowerCase();
      const exact = Number(own === name) + Number(path.endsWith(end));
      return { path, own, guess: Math.abs(own.length - name.length) - exact };
    })
    .toSorted((one, other) => one.guess - other.guess)
    .slice(0, MAX_COMPARED)
    .map(({ path, own }) => {
      const isBeside = basename(dirname(path)) === parent;
      return { path, rank: measureDistance(own, name, most) * 2 + (isBeside ? 0 : 1) };
    })
    .filter(({ rank }) => rank <= most * 2 + 1)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ path }) => path);
}

async function listNewest(paths: readonly string[]): Promise<readonly string[]> {
  const times = paths.slice(0, MAX_COMPARED).map(async (path) => {
    return { path, mtimeMs: (await inspect(path))?.mtimeMs ?? 0 };
  });
  const newest = (await Promise.all(times)).toSorted((one, other) => other.mtimeMs - one.mtimeMs);
  return newest.map(({ path }) => path);
}

/** Undefined if the path does not exist, or cannot be inspected. */
async function inspect(path: string) {
  return stat(path).catch(() => undefined);
}
