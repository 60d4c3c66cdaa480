import type { Layout } from './format.ts';

/** The score in `security-severity`, which code scanning reads too, and the level (3.49.14, 3.50). */
const RULE = {
  id: 'id',
  severity: 'properties/security-severity',
  level: 'defaultConfiguration/level',
};

/**
 * SARIF 2.1.0. The level of a result (3.27.10) counts if its rule has no score. Results that passed, are
 * absent or have suppressions that are all accepted (3.35.3) are not findings.
 */
export const SARIF: Layout = {
  marks: [
    ['runs/[]/tool/driver/name'],
    ['runs', { at: '$schema', is: /sarif/i }],
    ['runs', { at: 'version', is: /^2\.1\.0/ }],
  ],
  specVersion: ['version'],
  tools: [{ each: 'runs/[]/tool/driver', name: 'name', version: ['semanticVersion', 'version'] }],
  findings: [
    {
      each: 'runs/[]/results/[]',
      rule: ['ruleId', 'rule/id'],
      level: { at: 'level', none: { at: 'kind', is: /^(?!fail$)/ }, otherwise: 'warning' },
      where: [
        { at: 'kind', is: /^(?!pass$|notApplicable$)/ },
        { at: 'baselineState', is: /^(?!absent$)/ },
      ],
      ignored: {
        by: 'suppressions/[]',
        unless: { at: 'suppressions/[]/status', is: /^(?:underReview|rejected)$/ },
      },
    },
  ],
  rules: [
    { each: 'runs/[]/tool/driver/rules/[]', ...RULE },
    { each: 'runs/[]/tool/extensions/[]/rules/[]', ...RULE },
  ],
};
