import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StepError, errorCode } from '../errors.ts';
import type { FindResult, Unmatched } from './find.ts';
import { findHiddenMatches, findNearNames } from './near-names.ts';
import { displayPath } from './paths.ts';
import { isRelativePattern } from './patterns.ts';
import type { Scope } from './search.ts';

/** How many patterns without a match a message lists. */
const MAX_LISTED = 10;

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
  const fixes = new Set<string>();
  for (const each of unmatched.slice(0, MAX_LISTED)) {
    const mistake = await findMistake(each, scope);
    if (mistake !== undefined) fixes.add('Correct the path.');
    const hint = mistake ?? (await describeNear(each, scope, taken));
    problems.push(`\`${each.input}\`: no file matches '${each.text}'.${hint}`);
  }
  const more = unmatched.length - problems.length;
  if (more > 0) problems.push(`And ${more} more patterns match no file.`);
  if (files.length > 0) problems.push('Every pattern must match at least one file.');
  return new StepError('files', problems.join(' '), [...fixes]);
}

/** Says how a path must be written that starts somewhere else; undefined if that is not known. */
async function findMistake(
  { text, writtenIn, searchPath }: Unmatched,
  { workspace }: Scope,
): Promise<string | undefined> {
  if (await isHostPath(text, workspace)) {
    return ` This is a path on the runner's host. In a container job the workspace is ${workspace}: write the path relative to it.`;
  }
  if (writtenIn === undefined || !isRelativePattern(text)) return undefined;
  const beside = join(writtenIn, text);
  const isBeside = (await findStats(beside))?.isFile() === true;
  if (!isBeside || (await findStats(searchPath)) !== undefined) return undefined;
  return ` Paths in \`scans\` start at the workspace, not at the directory of the file: write '${displayPath(beside, workspace)}'.`;
}

/** What is wrong with the directory, and files that may be meant. */
async function describeNear(
  unmatched: Unmatched,
  scope: Scope,
  taken: ReadonlySet<string>,
): Promise<string> {
  const { text, searchPath } = unmatched;
  if (text.includes('[')) return ' A literal [ is written [[].';
  const isWild = /[*?]/.test(text);
  const state = await describeDirectory(isWild ? searchPath : dirname(searchPath), scope);
  if (!isWild) {
    const near = await findNearNames(searchPath, scope, taken);
    return near.length === 0 ? state : `${state} Did you mean ${quote(near)}?`;
  }
  const hidden = await findHiddenMatches(unmatched, scope);
  return hidden.length === 0
    ? state
    : `${state} It matches hidden files (${quote(hidden)}) only with \`include-hidden-files: true\`.`;
}

async function describeDirectory(directory: string, { workspace }: Scope): Promise<string> {
  const isRoot = directory === workspace;
  const name = isRoot ? 'The workspace' : `The directory '${displayPath(directory, workspace)}'`;
  const names = await readdir(directory).catch(errorCode);
  if (names === 'ENOENT' || names === 'ENOTDIR') return ` ${name} does not exist.`;
  if (!Array.isArray(names) || names.length > 0) return '';
  return ` ${name} is empty.${isRoot ? ' Download the artifact with the files first, or check out the repository.' : ''}`;
}

function quote(paths: readonly string[]): string {
  return paths.map((path) => `'${path}'`).join(', ');
}

/**
 * In a container job `github.workspace` still expands to the host's path, which does not exist in
 * the container. Both end in the repository's name twice.
 */
async function isHostPath(text: string, workspace: string): Promise<boolean> {
  const [repository, directory] = workspace.split(/[/\\]/).slice(-2);
  const names = text.split(/[/\\]/);
  const at = names.findIndex(
    (name, index) => name === repository && names[index + 1] === directory,
  );
  if (repository !== directory || at < 1 || !/^(?:[a-z]:)?[/\\]/i.test(text)) return false;
  return (await findStats(names.slice(0, at + 2).join('/')))?.isDirectory() !== true;
}

/** Undefined if nothing can be found at the path. */
async function findStats(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}
