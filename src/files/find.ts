import { FileError } from '../errors.ts';
import type { FileInput, InputPatterns, Selection } from '../inputs/selection.ts';
import { listSome } from '../text.ts';
import { isRelativePattern, parsePatterns } from './patterns.ts';
import { findFolder, searchPattern } from './search.ts';
import type { SearchOptions } from './search.ts';

/** A path that a pattern matched; nothing is known yet of what lies there. */
export interface FoundFile {
  /** Absolute, with the separators of the system. */
  readonly path: string;
  /** The input whose pattern found it. */
  readonly input: FileInput;
  /** For an absolute pattern, the folder it names, below which no link is followed. */
  readonly folder: string | undefined;
}

/** What a selection led to. `none` only if not one of its patterns matched anything. */
export type FindResult =
  | { readonly kind: 'files'; readonly files: readonly FoundFile[] }
  | { readonly kind: 'none'; readonly problem: string };

/** How many candidates a message lists. */
const MAX_LISTED = 10;

/**
 * Finds what a selection names: each file once, in the order of the patterns. Throws a FileError for
 * a pattern that matched nothing while others did, and for a role that more than one file would fill.
 */
export async function findFiles(selection: Selection, options: SearchOptions): Promise<FindResult> {
  const found: FoundFile[] = [];
  const barren: string[] = [];
  for (const patterns of selection) {
    const files = await findForInput(patterns, options, barren);
    if (patterns.input !== 'files') checkSingle(patterns.input, files);
    found.push(...files);
  }
  if (barren.length === 0) return { kind: 'files', files: found };
  const problem = `No file matches ${barren.join(', nor ')}.`;
  if (found.length === 0) return { kind: 'none', problem };
  throw new FileError(`${problem} Every pattern must match; others did.`);
}

async function findForInput(
  { input, text }: InputPatterns,
  options: SearchOptions,
  barren: string[],
): Promise<readonly FoundFile[]> {
  const found = new Map<string, FoundFile>();
  for (const pattern of parsePatterns(text)) {
    const { paths, searchPath } = await searchPattern(pattern, options);
    if (paths.length === 0) barren.push(describeBarren(input, pattern.text, options.workspace));
    for (const path of paths) {
      const relative = isRelativePattern(pattern.text);
      const folder = relative ? undefined : findFolder(path, searchPath);
      if (!found.has(path)) found.set(path, { path, input, folder });
    }
  }
  return [...found.values()];
}

function checkSingle(input: FileInput, files: readonly FoundFile[]): void {
  if (files.length < 2) return;
  const paths = files.map(({ path }) => `'${path}'`);
  throw new FileError(
    `${input} must match exactly one file and matches ${files.length}: ${listSome(paths, MAX_LISTED)}.`,
  );
}

function describeBarren(input: FileInput, text: string, workspace: string): string {
  return `'${text}' (${input})${explainBarren(text, workspace)}`;
}

function explainBarren(text: string, workspace: string): string {
  if (isHostPath(text, workspace)) {
    return ` (a path on the runner's host: in a container job the workspace is ${workspace}, so write the path relative to it)`;
  }
  return text.includes('[') ? ' (a literal [ is written [[])' : '';
}

/**
 * In a container job `github.workspace` still expands to the host's path, which does not exist in
 * the container. Both end in the repository's name twice.
 */
function isHostPath(text: string, workspace: string): boolean {
  const [repository, folder] = workspace.split(/[/\\]/).slice(-2);
  if (isRelativePattern(text) || repository === undefined || folder === undefined) return false;
  const inside = text === workspace || text.startsWith(`${workspace}/`);
  const isNamed = `${text}/`.includes(`/${repository}/${folder}/`);
  return !inside && repository === folder && isNamed;
}
