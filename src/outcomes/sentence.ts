import type { Evidence } from './evidence.ts';

/** What to do about a cause, with what the attempt shows. */
export type Sentence = string | ((evidence: Evidence) => string);

export function spell(sentence: Sentence, evidence: Evidence): string {
  return typeof sentence === 'function' ? sentence(evidence) : sentence;
}
