import { InputError } from '../errors.ts';
import { listSlowPatterns, parsePatterns } from '../files/patterns.ts';
import { OPERATIONS, PARTS } from '../service/operations.ts';
import type { Part } from '../service/operations.ts';

/** An input whose patterns name files: of any kind, or that of one part. */
export type FileInput = 'files' | Part['input'];

/** One or more patterns, one per line, and the input that they were given in. */
export interface InputPatterns {
  readonly input: FileInput;
  readonly text: string;
}

/** Which files the author means: `files` alone, or an input for each part of one operation. */
export type Selection = readonly InputPatterns[];

/** The inputs that name files. */
export const FILE_INPUTS: readonly FileInput[] = ['files', ...PARTS.map(({ input }) => input)];

/** The ways of naming files, each the inputs that go together. */
const WAYS: readonly (readonly FileInput[])[] = [
  ['files'],
  ...OPERATIONS.map(({ parts }) => parts.map(({ input }) => input)),
];

/**
 * Reads exactly one way of naming files; `read` returns the text of an input, empty where it is not
 * set. Throws an InputError that lists the ways, or every pattern that cannot be used.
 */
export function chooseSelection(read: (input: FileInput) => string): Selection {
  const list = WAYS.map((inputs) => inputs.map(quote).join(' with ')).join(', or ');
  const named = WAYS.filter((inputs) => inputs.some((input) => read(input) !== ''));
  const [way] = named;
  if (way === undefined) throw new InputError(`No files are named: set ${list}.`);
  if (named.length > 1) {
    throw new InputError(`Files are named in ${named.length} ways: set only one of ${list}.`);
  }
  const missing = way.filter((input) => read(input) === '');
  if (missing.length > 0) throw new InputError(describeMissing(way, missing));
  const selection = way.map((input) => ({ input, text: read(input) }));
  const problems = selection.flatMap(listProblems);
  if (problems.length > 0) throw new InputError(...problems);
  return selection;
}

function describeMissing(way: readonly FileInput[], missing: readonly FileInput[]): string {
  const single = OPERATIONS.filter(({ parts }) => parts.length === 1);
  const inputs = single.flatMap(({ parts }) => parts.map(({ input }) => input));
  const verb = missing.length === 1 ? 'is' : 'are';
  return `${way.map(quote).join(' and ')} go together: ${missing.map(quote).join(' and ')} ${verb} missing. For one file use ${inputs.map(quote).join(' or ')}.`;
}

function listProblems({ input, text }: InputPatterns): readonly string[] {
  const problems = listSlowPatterns(text).map(
    (pattern) =>
      `\`${input}\`: the pattern '${pattern}' has more than three \`*\` in one path segment. Use at most three there: each matches any part of a name.`,
  );
  if (parsePatterns(text).length > 0) return problems;
  return [
    `${quote(input)} has only excludes (!) or comments (#): name the files to upload.`,
    ...problems,
  ];
}

function quote(input: FileInput): string {
  return `\`${input}\``;
}
