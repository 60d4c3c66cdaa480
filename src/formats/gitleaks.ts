import type { Format } from './format.ts';

/** Gitleaks 8, and earlier versions. It states no severities. */
export const GITLEAKS = {
  name: 'gitleaks',
  label: 'Gitleaks',
  holds: 'report',
  json: {
    marks: [
      [{ at: '[]/RuleID' }, { at: '[]/Secret' }, { at: '[]/StartLine' }],
      [{ at: '[]/offender' }, { at: '[]/rule' }, { at: '[]/commitMessage' }],
    ],
    findings: [{ each: '[]' }],
  },
} as const satisfies Format;
