import { describe, expect, test } from '@jest/globals';
import { countSeverities, inspect } from '../support/documents.ts';
import type { Row } from '../support/documents.ts';
import { evaluate } from '../support/evaluate.ts';

/** A run of a tool with findings of these rules. */
function run(driver: object, ruleIds: readonly string[], extensions?: readonly object[]): object {
  return {
    tool: { driver, ...(extensions !== undefined && { extensions }) },
    results: ruleIds.map((ruleId) => ({ ruleId, level: 'error', message: { text: 'found' } })),
  };
}

/** A rule with a score, or without one. */
function rule(id: string, score?: unknown): object {
  return {
    id,
    properties: { tags: ['security'], ...(score !== undefined && { 'security-severity': score }) },
  };
}

describe('SARIF', () => {
  const KNOWN = { format: 'sarif', syntax: 'json', specVersion: '2.1.0' } as const;

  test.each<Row>([
    [
      'without scores, and then without severities',
      { version: '2.1.0', runs: [run({ name: 'lint', rules: [rule('a')] }, ['a', 'b'])] },
      { ...KNOWN, tool: 'lint', findings: 2 },
    ],
    [
      'with the semantic version rather than the other',
      {
        version: '2.1.0',
        runs: [run({ name: 'CodeQL', version: 'x', semanticVersion: '2.20.1' }, [])],
      },
      { ...KNOWN, tool: 'CodeQL 2.20.1', findings: 0 },
    ],
    [
      'with the version of the tool',
      { version: '2.1.0', runs: [run({ name: 'scan', version: '3' }, [])] },
      { ...KNOWN, tool: 'scan 3', findings: 0 },
    ],
    [
      'with scores of the rules, as texts and as numbers',
      {
        version: '2.1.0',
        runs: [
          run({ name: 'scan', rules: [rule('a', '9.8'), rule('b', 5), rule('c')] }, [
            'a',
            'a',
            'b',
            'c',
            'd',
          ]),
        ],
      },
      {
        ...KNOWN,
        tool: 'scan',
        findings: 5,
        severities: countSeverities({ critical: 2, medium: 1, unknown: 2 }),
      },
    ],
    [
      'with the rules behind the findings, and in extensions',
      {
        runs: [
          {
            results: [{ rule: { id: 'a', index: 0 } }, { ruleId: 'b' }],
            tool: {
              extensions: [
                { name: 'pack', version: '1', rules: [rule('a', '8.1')] },
                { rules: [rule('b', '0.0')] },
              ],
              driver: { name: 'scan' },
            },
          },
        ],
        version: '2.1.0',
      },
      { ...KNOWN, tool: 'scan', findings: 2, severities: countSeverities({ high: 1, none: 1 }) },
    ],
    [
      'with several runs of several tools',
      {
        version: '2.1.0',
        runs: [
          run({ name: 'one', version: '1', rules: [rule('a', '2.0')] }, ['a']),
          run({ name: 'two' }, ['x', 'y'], [{ name: 'pack', rules: [rule('x', '7')] }]),
          run({ name: 'one', semanticVersion: '1' }, []),
        ],
      },
      {
        ...KNOWN,
        tool: 'one 1, two',
        findings: 3,
        severities: countSeverities({ high: 1, low: 1, unknown: 1 }),
      },
    ],
    [
      'and counts neither what passed nor what is gone',
      {
        version: '2.1.0',
        runs: [
          {
            tool: { driver: { name: 'scan', rules: [rule('a', '9.8')] } },
            results: [
              ...['pass', 'notApplicable', 'fail', 'open', 'review', 'informational'].map(
                (kind) => ({ ruleId: 'a', kind }),
              ),
              ...['absent', 'new', 'unchanged', 'updated'].map((baselineState) => ({
                baselineState,
                ruleId: 'a',
              })),
              { ruleId: 'a', kind: 'pass', baselineState: 'new' },
              { ruleId: 'a', kind: 'fail', baselineState: 'absent' },
              { ruleId: 'a', kind: 'passed' },
            ],
          },
        ],
      },
      { ...KNOWN, tool: 'scan', findings: 8, severities: countSeverities({ critical: 8 }) },
    ],
    ...[['4.0', '9.8'] as const, ['9.8', '4.0'] as const].map(([one, other]): Row => [
      `with the worst of the rules of one id, ${one} and ${other}`,
      {
        version: '2.1.0',
        runs: [
          run({ name: 'one', rules: [rule('a', one), rule('a')] }, ['a']),
          run({ name: 'two', rules: [rule('a', other)] }, ['a']),
        ],
      },
      { ...KNOWN, tool: 'one, two', findings: 2, severities: countSeverities({ critical: 2 }) },
    ]),
    [
      'with a rule where its id is null',
      {
        version: '2.1.0',
        runs: [
          {
            tool: { driver: { name: 'scan', rules: [rule('a', '9.8')] } },
            results: [{ ruleId: null, rule: { id: 'a' } }],
          },
        ],
      },
      { ...KNOWN, tool: 'scan', findings: 1, severities: countSeverities({ critical: 1 }) },
    ],
    [
      'in a version before the final one',
      { version: '2.1.0-rtm.5', runs: [] },
      { ...KNOWN, specVersion: '2.1.0-rtm.5', findings: 0 },
    ],
    [
      'without runs, by its schema',
      { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', runs: [] },
      { format: 'sarif', syntax: 'json', findings: 0 },
    ],
    ['without runs, by its version', { version: '2.1.0', runs: [] }, { ...KNOWN, findings: 0 }],
    [
      'with rules that are no rules',
      {
        version: '2.1.0',
        runs: [run({ name: 'scan', rules: ['a', null, { properties: 7 }] }, ['a'])],
      },
      { ...KNOWN, tool: 'scan', findings: 1 },
    ],
  ])('is known %s', (_, document, expected) => {
    expect(inspect(document)).toEqual({ ...expected, inspected: 'full' });
  });

  test.each<[string, unknown]>([
    ['runs alone', { runs: [] }],
    ['a version alone', { version: '2.1.0' }],
    ['a version of something else', { version: '2.10.0', runs: [] }],
    ['an older version', { version: '2.0.0', runs: [] }],
    ['a version further inside', { version: 'v2.1.0', runs: [] }],
    ['runs of something else', { runs: [{ tool: 'driver', name: 'x' }] }],
    ['names in other letters', { Runs: [{ Tool: { Driver: { Name: 'x' } } }] }],
    ['runs further down', { report: { version: '2.1.0', runs: [] } }],
    ['runs that are no list', { runs: { tool: { driver: { name: 'x' } } } }],
  ])('is not seen in %s', (_, document) => {
    expect(inspect(document)).toEqual({ format: 'json', syntax: 'json', inspected: 'full' });
  });
});

/** The severities of as many different findings as rules, all of them of one id. */
const MANY = `(() => {
  const numbers = Array.from({ length: 15_000 }, (_, index) => index);
  const rules = numbers.map((index) => ({
    id: 'a',
    properties: { 'security-severity': String(index / 3000) },
  }));
  const results = numbers.map((index) => ({ ruleId: 'a', kind: String(index) }));
  const runs = [{ tool: { driver: { name: 'lint', rules } }, results }];
  const { severities } = m.inspectBytes(Buffer.from(JSON.stringify({ version: '2.1.0', runs })));
  return JSON.stringify(severities);
})()`;

test('SARIF with many rules of one id holds nothing up', () => {
  expect(JSON.parse(evaluate('formats/inspect.ts', MANY))).toEqual(
    countSeverities({ medium: 15_000 }),
  );
});
