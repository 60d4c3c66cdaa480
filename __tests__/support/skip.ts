import { describe } from '@jest/globals';
import { addReason } from './skip-reasons.ts';

/** `describe`, or what skips its tests. */
export type Describe = (title: string, body: () => void) => void;

/** `describe` without a `reason`; with one its tests are skipped, and the end of the run shows why. */
export function describeUnless(reason: string | undefined): Describe {
  if (reason === undefined) return describe;
  const { skip } = describe;
  return (title, body) => skip(addReason(title, reason), body);
}
