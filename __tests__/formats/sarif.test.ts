import { describe, expect, test } from '@jest/globals';
import type { Severity } from '../../src/formats/severity.ts';
import { evaluate } from '../support/evaluate.ts';
import {
  countFindings,
  countSeverities,
  expectRecognised,
  expectUnrecognised,
  inspect,
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
    [
      'with the rules of its own run',
      document(
        run({ name: 'one', rules: [rule('a', '4.0')] }, ['a', 'b']),
        run({ name: 'two', rules: [rule('a', '9.8'), rule('b', '7')] }, ['a']),
      ),
      { tool: 'one, two', ...countFindings({ critical: 1, high: 1, medium: 1 }) },
    ],
    [
      'with a rule object if the rule id is null',
      documentOf([{ ruleId: null, rule: { id: 'a' } }]),
      { tool: 'scan', ...countFindings({ critical: 1 }) },
    ],
    [
      'with the level of the result, none for a kind that is no failure, of its rule, or warning',
      document({
        tool: { driver: { name: 'scan', rules: [level('a', 'error'), level('b', 'note')] } },
        results: [
          { ruleId: 'a', level: 'none' },
          { ruleId: 'a', level: 'note', kind: 'review' },
          { ruleId: 'a' },
          { ruleId: 'a', kind: 'review' },
          { ruleId: 'b', kind: 'open' },
          { ruleId: 'c', kind: 'open' },
          { ruleId: 'c', kind: 'fail' },
          {},
        ],
      }),
      { tool: 'scan', ...countFindings({ high: 1, medium: 2, low: 1, none: 4 }) },
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
      { specVersion: '2.1.0-rtm.5', isBlank: true },
    ],
    [
      'without runs, by its schema',
      { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', runs: [] },
      { specVersion: undefined, isBlank: true },
    ],
    [
      'of a run that failed',
      document(
        { results: [], invocations: [{ executionSuccessful: true }] },
        {
          results: [],
          invocations: [{ executionSuccessful: true }, { executionSuccessful: false }],
        },
      ),
      { ...NONE, isFailed: true },
    ],
    ['without runs, by its version', document(), { isBlank: true }],
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
  ])('is not recognised from %s', (...row) => expectUnrecognised(row));
});

describe('the rule of a SARIF result', () => {
  const DRIVER = [rule('a', '0'), rule('b', '2'), rule('a', '5'), rule('x', '1'), rule('x/y', '8')];
  const EXTENSIONS = [{ rules: [rule('e', '9')] }, { rules: [rule('a', '10'), rule('f', '8')] }];

  test.each<[string, object, Severity]>([
    ['the first with its id', { ruleId: 'a' }, 'none'],
    ['the first with the id of its reference', { rule: { id: 'b' } }, 'low'],
    ['of an extension, by its id', { ruleId: 'f' }, 'high'],
    ['at its index', { ruleIndex: 1 }, 'low'],
    ['at the index of its reference', { rule: { index: 1 } }, 'low'],
    ['at its index, of several with its id', { ruleId: 'a', ruleIndex: 2 }, 'medium'],
    ['at its index, with the beginning of its id', { ruleId: 'a/b/c', ruleIndex: 2 }, 'medium'],
    ['with its id, if there is another at its index', { ruleId: 'b', ruleIndex: 0 }, 'low'],
    ['with its id, if there is none at its index', { ruleId: 'b', ruleIndex: 9 }, 'low'],
    [
      'of an extension, at its index',
      { rule: { index: 0, toolComponent: { index: 0 } } },
      'critical',
    ],
    [
      'of an extension, at its index, of several with its id',
      { ruleId: 'a', rule: { index: 0, toolComponent: { index: 1 } } },
      'critical',
    ],
    ['with the beginning of its hierarchical id', { ruleId: 'b/1/2' }, 'low'],
    ['with the longest beginning of its id', { ruleId: 'x/y/z' }, 'high'],
    ['none if only its letters begin with an id', { ruleId: 'bc', ruleIndex: 1 }, 'unknown'],
    ['none at an index of -1', { ruleIndex: -1 }, 'unknown'],
    ['none of a missing extension', { rule: { index: 0, toolComponent: { index: 7 } } }, 'unknown'],
  ])('is %s: %j', (_, result, severity) => {
    const driver = { name: 'scan', rules: DRIVER };
    const results = [{ ...result, level: 'x' }];
    const { severities } = inspect(document({ tool: { driver, extensions: EXTENSIONS }, results }));
    expect(severities).toEqual(countSeverities({ [severity]: 1 }));
  });

  test.each([
    ['rules of the same id', "'a'", "'a'"],
    ['levels in ids', 'String(index)', "'a/'.repeat(250)"],
  ])('is found in linear time for 15,000 results and %s', (_, id, ruleId) => {
    const expression = `(() => {
      const numbers = Array.from({ length: 15_000 }, (_, index) => index);
      const rules = numbers.map((index) => ({ id: ${id}, properties: { 'security-severity': '9' } }));
      const results = numbers.map(() => ({ ruleId: ${ruleId} }));
      const runs = [{ tool: { driver: { name: 'lint', rules } }, results }];
      return m.inspectBytes(Buffer.from(JSON.stringify({ version: '2.1.0', runs }))).findings;
    })()`;
    expect(evaluate('formats/inspect.ts', expression)).toBe('15000');
  });
});

describe('SARIF with more content than any scan', () => {
  const LEVELS = '/a'.repeat(250);
  const scores = Array.from({ length: 10_000 }, () => '');
  const driver = { name: 'scan', rules: [rule('a', scores)] };

  test.each<[string, number, number, (count: number) => object]>([
    [
      'a rule, read again for each result of three runs',
      16,
      17,
      (count) => {
        const each = run(driver, 'a'.repeat(count).split(''));
        return document(each, each, each);
      },
    ],
    [
      'levels of ids',
      1900,
      2100,
      (count) =>
        document(
          run(
            {},
            Array.from({ length: count }, (_, index) => index + LEVELS),
          ),
        ),
    ],
  ])('is not counted, by the items of %s: %i and %i', (_, few, many, make) => {
    expect(inspect(make(few)).findings).toBeGreaterThanOrEqual(few);
    expect(inspect(make(many))).toMatchObject({ format: 'sarif', inspected: 'partial' });
    expect(inspect(make(many)).findings).toBeUndefined();
    expect(inspect(document(run(driver, ['a']))).findings).toBe(1);
  });
});
