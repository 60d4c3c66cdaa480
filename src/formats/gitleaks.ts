import type { Layout } from './format.ts';

/** Gitleaks 8, and earlier versions. It states no severities. */
export const GITLEAKS: Layout = {
  marks: [
    ['[]/RuleID', '[]/Secret', '[]/StartLine'],
    ['[]/offender', '[]/rule', '[]/commitMessage'],
  ],
  findings: [{ each: '[]' }],
};
