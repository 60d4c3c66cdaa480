import { describe } from '@jest/globals';

/** `describe`, or what skips its tests. */
export type Describe = (title: string, body: () => void) => void;

/** `describe` without a `reason`; with one its tests are skipped, and support/reporter.ts prints why. */
export function describeUnless(reason: string | undefined): Describe {
  if (reason === undefined) return describe;
  const { skip } = describe;
  return (title, body) => skip(`${title} [skipped: ${reason}]`, body);
}
