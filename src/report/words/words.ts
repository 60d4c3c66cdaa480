import type { Upload } from '../../service/upload-result.ts';
import type { Situation } from '../../situations.ts';
import { cutAtWord } from '../../text.ts';
import { CONNECTION_WORDS } from './connection.ts';
import type { StepContext, UploadContext, Words } from './context.ts';
import { RESPONSE_WORDS } from './response.ts';
import { STEP_WORDS } from './step.ts';

/** The words of all situations. */
export const WORDS: Readonly<Record<Situation, Words<UploadContext>>> = {
  ...STEP_WORDS,
  ...CONNECTION_WORDS,
  ...RESPONSE_WORDS,
};

/** The longest headline of an attempt: that of a problem's whole detail. */
const MAX_SAID_CHARACTERS = 1600;

/** What happened in an attempt, in one sentence or more. */
export function describeHeadline(situation: Situation, context: UploadContext): string {
  return cutAtWord((WORDS[situation].headline ?? sayProblem)(context), MAX_SAID_CHARACTERS);
}

/** What the words of an attempt are made from. */
export function makeContext({ last: attempt, settings, result }: ContextSource): UploadContext {
  const { failure, state } = attempt;
  const problems = failure !== undefined && 'text' in failure ? [failure.text] : [];
  const fixes = failure?.kind === 'step' ? failure.error.fixes : [];
  return { attempt, settings, result, state, problems, fixes };
}

type ContextSource = Pick<Upload, 'last' | 'settings' | 'result'>;

/** What an error says first. */
export function sayProblem({ problems }: StepContext): string {
  return problems[0] ?? '';
}
