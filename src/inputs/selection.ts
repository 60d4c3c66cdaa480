import { InputError } from '../errors.ts';
import type { Selection } from '../files/find.ts';
import { parsePatterns } from '../files/patterns.ts';
import { OPERATIONS, PARTS } from '../service/operations.ts';
import type { Part } from '../service/operations.ts';
import { OUTPUT_FIX } from './mistakes.ts';

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
  const selection = FILE_INPUTS.map((input) => ({ input, text: read(input) })).filter(
    ({ text }) => text !== '',
  );
  const named = selection.map(({ input }) => input);
  const ways = WAYS.map((way) => way.map(quote).join(' with ')).join(', or ');
  if (named.length === 0) throw new InputError(`No files are named. Set ${ways}.`, [OUTPUT_FIX]);
  if (!WAYS.some((way) => way.join() === named.join())) {
    const list = named.map(quote).join(' and ');
    throw new InputError(`Files are named by ${list}: set exactly one of ${ways}.`);
  }
  const problems = selection
    .filter(({ text }) => parsePatterns(text).length === 0)
    .map(
      ({ input }) =>
        `${quote(input)} has only excludes (!) or comments (#): name the files to upload.`,
    );
  if (problems.length > 0) throw new InputError(problems);
  return selection;
}

function quote(input: FileInput): string {
  return `\`${input}\``;
}
