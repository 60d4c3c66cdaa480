import type { Format } from './format.ts';

const SCORE = 'properties/security-severity';

/**
 * SARIF 2.1.0. Severities are the scores in a rule's `security-severity`, which code scanning reads too;
 * levels are not. Results that passed or are absent are not findings.
 */
export const SARIF = {
  name: 'sarif',
  label: 'SARIF',
  holds: 'report',
  json: {
    marks: [
      [{ at: 'runs/[]/tool/driver/name' }],
      [{ at: 'runs' }, { at: '$schema', is: /sarif/i }],
      [{ at: 'runs' }, { at: 'version', is: /^2\.1\.0/ }],
    ],
    specVersion: [{ at: 'version' }],
    tools: [
      {
        each: 'runs/[]/tool/driver',
        name: { at: 'name' },
        version: ['semanticVersion', 'version'],
      },
    ],
    findings: [
      {
        each: 'runs/[]/results/[]',
        rule: ['ruleId', 'rule/id'],
        where: [
          { at: 'kind', is: /^(?!pass$|notApplicable$)/ },
          { at: 'baselineState', is: /^(?!absent$)/ },
        ],
      },
    ],
    rules: [
      { each: 'runs/[]/tool/driver/rules/[]', id: 'id', severity: SCORE },
      { each: 'runs/[]/tool/extensions/[]/rules/[]', id: 'id', severity: SCORE },
    ],
  },
} as const satisfies Format;
