import { describe, expect, test } from '@jest/globals';
import { evaluate } from '../support/evaluate.ts';
import {
  countFindings,
  countSeverities,
  expectRecognised,
  expectUnrecognised,
} from '../support/documents.ts';
import type { OtherRow, Row } from '../support/documents.ts';

/** A run of a tool with findings of these rules. */
function run(
  driver: object,
  ruleIds: readonly string[],
  extensions: readonly object[] = [],
): object {
  return {
    tool: { driver, extensions },
    results: ruleIds.map((ruleId) => ({ ruleId, level: 'error', message: { text: 'found' } })),
  };
}

/** A rule with a score, or without one. */
function rule(id: string, score?: unknown): object {
  const severity = score === undefined ? {} : { 'security-severity': score };
  return { id, properties: { tags: ['security'], ...severity } };
}

/** A rule with a level and no score. */
function level(id: string, name: string): object {
  return { id, defaultConfiguration: { level: name } };
}

const NONE = countFindings({});

/** A document with these runs. */
function document(...runs: readonly object[]): object {
  return { version: '2.1.0', runs };
}

/** The findings of a tool with a critical rule `a`. */
function documentOf(results: readonly object[]): object {
  return document({ tool: { driver: { name: 'scan', rules: [rule('a', '9.8')] } }, results });
}

describe('SARIF', () => {
  test.each<Row>([
    [
      'with the levels of the results if the rules have no scores',
      document(run({ name: 'lint', rules: [rule('a'), rule('b', 'x')] }, ['a', 'b', 'c'])),
      { tool: 'lint', ...countFindings({ high: 3 }) },
    ],
    [
      'with the semantic version rather than the version of the tool',
      document(
        run({ name: 'CodeQL', version: 'x', semanticVersion: '2.20.1' }, []),
        run({ name: 'scan', version: '3' }, []),
      ),
      { tool: 'CodeQL 2.20.1, scan 3', ...NONE },
    ],
    [
      'with scores of the rules, as texts and as numbers',
      document(
        run(
          { name: 'scan', rules: [rule('a', '9.8'), rule('b', 5), rule('c')] },
          Array.from('aabcd'),
        ),
      ),
      { tool: 'scan', ...countFindings({ critical: 2, high: 2, medium: 1 }) },
    ],
    [
      'with the rules after the findings, and in extensions',
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
      { tool: 'scan', ...countFindings({ high: 1, none: 1 }) },
    ],
    [
      'with multiple runs of multiple tools',
      document(
        run({ name: 'one', version: '1', rules: [rule('a', '2.0')] }, ['a']),
        run({ name: 'two' }, ['x', 'y'], [{ name: 'pack', rules: [rule('x', '7')] }]),
        run({ name: 'one', semanticVersion: '1' }, []),
      ),
      { tool: 'one 1, two', ...countFindings({ high: 2, low: 1 }) },
    ],
    [
      'without counting results that passed or are absent',
      documentOf([
        ...['fail', 'open', 'review', 'informational', 'passed'].map((kind) => ({
          ruleId: 'a',
          kind,
        })),
        ...['new', 'unchanged', 'updated'].map((baselineState) => ({ baselineState, ruleId: 'a' })),
        { ruleId: 'a', kind: 'pass', baselineState: 'new' },
        { ruleId: 'a', kind: 'notApplicable' },
        { ruleId: 'a', kind: 'fail', baselineState: 'absent' },
      ]),
      { tool: 'scan', ...countFindings({ critical: 8 }) },
    ],
    ...[['4.0', '9.8'] as const, ['9.8', '4.0'] as const].map(([one, other]): Row => [
      `with the worst score of the rules with one id, ${one} and ${other}`,
      document(
        run({ name: 'one', rules: [rule('a', one), rule('a')] }, ['a']),
        run({ name: 'two', rules: [rule('a', other)] }, ['a']),
      ),
      { tool: 'one, two', ...countFindings({ critical: 2 }) },
    ]),
    [
      'with a rule object if the rule id is null',
      documentOf([{ ruleId: null, rule: { id: 'a' } }]),
      { tool: 'scan', ...countFindings({ critical: 1 }) },
    ],
    [
      'with the level of the result, of its rule, none for a kind that is no failure, or warning',
      document({
        tool: { driver: { name: 'scan', rules: [level('a', 'error'), level('b', 'note')] } },
        results: [
          { ruleId: 'a', level: 'none' },
          { ruleId: 'a', level: 'note', kind: 'review' },
          { ruleId: 'a' },
          { ruleId: 'b', kind: 'open' },
          { ruleId: 'c', kind: 'open' },
          { ruleId: 'c', kind: 'fail' },
          {},
        ],
      }),
      { tool: 'scan', ...countFindings({ high: 1, medium: 2, low: 2, none: 2 }) },
    ],
    [
      'without counting results with suppressions that are all accepted',
      documentOf(
        [
          [],
          undefined,
          null,
          [{ kind: 'external', status: 'underReview' }],
          [{ status: 'rejected' }],
          [{ kind: 'inSource' }, { status: 'rejected' }],
          [{ kind: 'inSource' }],
          [{ status: 'accepted' }, { kind: 'external' }],
        ].map((suppressions) => ({ ruleId: 'a', suppressions })),
      ),
      { tool: 'scan', ...countFindings({ critical: 6 }) },
    ],
    [
      'in a draft version',
      { version: '2.1.0-rtm.5', runs: [] },
      { specVersion: '2.1.0-rtm.5', ...NONE },
    ],
    [
      'without runs, by its schema',
      { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', runs: [] },
      { specVersion: undefined, ...NONE },
    ],
    ['without runs, by its version', document(), NONE],
    [
      'with rules that are not objects',
      document(run({ name: 'scan', rules: ['a', null, { properties: 7 }] }, ['a'])),
      { tool: 'scan', ...countFindings({ high: 1 }) },
    ],
  ])('is recognised %s', (...row) =>
    expectRecognised({ format: 'sarif', syntax: 'json', specVersion: '2.1.0' }, row),
  );

  test.each<OtherRow>([
    ['runs alone', { runs: [] }],
    ['a version alone', { version: '2.1.0' }],
    ['a version with the same first digits', { version: '2.10.0', runs: [] }],
    ['a version with a prefix', { version: 'v2.1.0', runs: [] }],
    ['runs of another format', { runs: [{ tool: 'driver', name: 'x' }] }],
    ['names in another case', { Runs: [{ Tool: { Driver: { Name: 'x' } } }] }],
    ['runs in a nested object', { report: document() }],
    ['runs that are not a list', { runs: { tool: { driver: { name: 'x' } } } }],
  ])('is not recognised from %s', (...row) => expectUnrecognised(row));
});

/** The severities of 15,000 different findings and 15,000 rules, all with the same id. */
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

test('counts SARIF with many rules of the same id in linear time', () => {
  expect(JSON.parse(evaluate('formats/inspect.ts', MANY))).toEqual(
    countSeverities({ medium: 15_000 }),
  );
});
