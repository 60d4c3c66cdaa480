import { InputError } from '../errors.ts';
import type { Selection } from '../files/find.ts';
import { parsePatterns } from '../files/patterns.ts';
import { OPERATIONS, PARTS } from '../service/operations.ts';
import type { Part } from '../service/operations.ts';

/** An input with patterns: `files`, or the input of one part. */
export type FileInput = 'files' | Part['input'];

/** The inputs that name files. */
export const FILE_INPUTS: readonly FileInput[] = ['files', ...PARTS.map(({ input }) => input)];

/** The ways to name files, each with the inputs that have to be set together. */
const WAYS: readonly (readonly FileInput[])[] = [
  ['files'],
  ...OPERATIONS.map(({ parts }) => parts.map(({ input }) => input)),
];

/**
 * Reads the patterns; exactly one way must be used. `read` returns the text of an input, empty if it is
 * not set. Throws an InputError with the problem of each input.
 */
export function chooseSelection(read: (input: FileInput) => string): Selection {
  const texts = new Map(FILE_INPUTS.map((input) => [input, read(input)]));
  const list = WAYS.map((inputs) => inputs.map(quote).join(' with ')).join(', or ');
  const named = WAYS.filter((inputs) => inputs.some((input) => texts.get(input) !== ''));
  const [way] = named;
  if (way === undefined) throw new InputError(`No files are named. Set ${list}.`);
  if (named.length > 1) {
    throw new InputError(`Files are named in ${named.length} ways: set only one of ${list}.`);
  }
  const missing = way.find((input) => texts.get(input) === '');
  if (missing !== undefined) {
    const all = way.map(quote).join(' and ');
    throw new InputError(
      `${all} go together: ${quote(missing)} is missing. For one file use \`scan-file\`.`,
    );
  }
  const problems = way
    .filter((input) => parsePatterns(texts.get(input) ?? '').includes.length === 0)
    .map(
      (input) => `${quote(input)} has only excludes (!) or comments (#): name the files to upload.`,
    );
  if (problems.length > 0) throw new InputError(problems);
  return way.map((input) => ({ input, text: texts.get(input) ?? '' }));
}

function quote(input: FileInput): string {
  return `\`${input}\``;
}
