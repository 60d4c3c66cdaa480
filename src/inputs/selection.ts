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
  const named = FILE_INPUTS.map((input) => ({ input, text: read(input) })).filter(
    ({ text }) => text !== '',
  );
  const ways = WAYS.filter((inputs) => named.some(({ input }) => inputs.includes(input)));
  const list = WAYS.map((inputs) => inputs.map(quote).join(' with ')).join(', or ');
  const [way] = ways;
  if (way === undefined) throw new InputError(`No files are named. Set ${list}.`, [OUTPUT_FIX]);
  if (ways.length > 1) {
    throw new InputError(`Files are named in ${ways.length} ways: set only one of ${list}.`);
  }
  const missing = way.find((input) => !named.some((each) => each.input === input));
  if (missing !== undefined) {
    throw new InputError(
      `${way.map(quote).join(' and ')} go together: ${quote(missing)} is empty. For one file use \`scan-file\`.`,
    );
  }
  const problems = named.flatMap(({ input, text }) => {
    const problem = findProblem(text);
    return problem === undefined ? [] : `${quote(input)} ${problem}`;
  });
  if (problems.length > 0) throw new InputError(problems);
  return named;
}

function findProblem(text: string): string | undefined {
  if (/^[[\s]*\{\s*"/.test(text)) return 'is JSON: set it to the path of the file.';
  if (parsePatterns(text).length > 0) return undefined;
  return 'has only excludes (!) or comments (#): name the files to upload.';
}

function quote(input: FileInput): string {
  return `\`${input}\``;
}
