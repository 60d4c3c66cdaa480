import { InputError } from '../errors.ts';
import { foldName } from '../json.ts';

/** What to do about empty inputs, by where their texts come from. */
export const VARIABLE_FIX =
  'An expression with `vars` needs a variable of this name (not a secret) in this repository or, with `environment:`, in that environment.';
export const OUTPUT_FIX =
  'An expression with the output of another job needs `outputs:` there and `needs:` here.';

/** The longest value that a message repeats; a UUID has 36 characters. */
const MAX_SHOWN_CHARACTERS = 40;

/**
 * A value in a message. A long one is not shown, because it may be a secret in the wrong input: if the message is
 * cut, the runner does not find the whole secret and does not mask the rest.
 */
export function quoteValue(text: string): string {
  const { length } = text;
  return length > MAX_SHOWN_CHARACTERS ? `a text of ${length} characters` : `'${text}'`;
}

/** Texts that stand for others. */
const MISTAKES = [
  [/^\$\{\{[^]*\}\}$/, 'is an expression, which is evaluated only in the workflow file.'],
  [
    /^[${ ]*(?:secrets|vars|env)\.\w+[} ]*$/i,
    'is the text of an expression: write ${{ }} around it.',
  ],
  [
    /^(?:\$(?:env:)?[a-z_]\w*|\$[({]\w+[)}]|%\w+%)$/i,
    'is a shell variable, which `with:` does not replace: write ${{ secrets.NAME }}, ${{ vars.NAME }} or ${{ env.NAME }}.',
  ],
  [/^(?:"[^]*"|'[^]*')$/, 'is in quotes: remove them.'],
] as const;

/** What is wrong with a text that stands for another one, which is not shown; undefined for any other text. */
export function findMistake(text: string): string | undefined {
  return MISTAKES.find(([pattern]) => pattern.test(text))?.[1];
}

/** Throws an InputError for `dry-run` in another spelling: the runner only warns of it, and the step would upload. */
export function refuseOtherDryRun(): void {
  for (const [variable, text = ''] of Object.entries(process.env)) {
    const name = variable.toLowerCase().replace(/^input_/, '');
    const isOther = foldName(variable) === 'inputdryrun' && name !== 'dry-run';
    if (!isOther || /^(?:false)?$/i.test(text.trim())) continue;
    throw new InputError(`\`${name}\` is no input of this action: write \`dry-run\`.`);
  }
}
