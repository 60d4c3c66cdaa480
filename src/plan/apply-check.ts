import { StepError } from '../errors.ts';
import { checkContents } from './check.ts';
import type { UploadPlan } from './plan.ts';

/**
 * Applies `content-check` to a plan: its problems end the scan with a StepError (`error`), or are warnings of
 * the parts in the returned plan.
 */
export function applyCheck(
  plan: UploadPlan,
  strictness: 'error' | 'warn' | 'off',
  warn: (message: string) => void,
): UploadPlan {
  if (strictness === 'off') return plan;
  const found = checkContents(plan);
  const problems = found.filter((each) => each.situation !== undefined);
  const [first] = problems;
  if (strictness === 'error' && first !== undefined) {
    throw new StepError(
      first.situation,
      problems.map(({ message }) => message),
      [...new Set(problems.flatMap(({ fixes }) => fixes))],
    );
  }
  for (const { message } of found) warn(message);
  const parts = plan.parts.map((planned) => {
    const own = found.filter((each) => each.parts.includes(planned));
    return { ...planned, warnings: own.map(({ message }) => message) };
  });
  return { ...plan, parts };
}
