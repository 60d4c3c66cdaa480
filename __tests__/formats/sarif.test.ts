import { describe, expect, test } from '@jest/globals';
import type { Severity } from '../../src/formats/severity.ts';
import { countSeverities, inspect } from '../support/documents.ts';
import { evaluate } from '../support/evaluate.ts';

// What is counted in whole documents: reports.yml.

function document(rules: unknown, results: unknown, extensions: unknown = [], runs = 1): object {
  const run = { tool: { driver: { rules }, extensions }, results };
  return { version: '2.1.0', runs: Array.from({ length: runs }, () => run) };
}

function rule(id: string, score: unknown): object {
  return { id, properties: { 'security-severity': score } };
}

/** A reference to a rule of an extension. */
function at(index: number, extension: number): object {
  return { index, toolComponent: { index: extension } };
}

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
    ['of an extension, at its index', { rule: at(0, 0) }, 'critical'],
    ['of several in an extension, at its index', { ruleId: 'a', rule: at(0, 1) }, 'critical'],
    ['with the beginning of its hierarchical id', { ruleId: 'b/1/2' }, 'low'],
    ['with the longest beginning of its id', { ruleId: 'x/y/z' }, 'high'],
    ['none if only its letters begin with an id', { ruleId: 'bc', ruleIndex: 1 }, 'unknown'],
    ['none at an index of -1', { ruleIndex: -1 }, 'unknown'],
    ['none of a missing extension', { rule: at(0, 7) }, 'unknown'],
  ])('is %s', (_, result, severity) => {
    const { severities } = inspect(document(DRIVER, [{ ...result, level: 'x' }], EXTENSIONS));
    expect(severities).toEqual(countSeverities({ [severity]: 1 }));
  });

  test('is found in linear time for 15,000 results', () => {
    const expression = `(() => {
      const numbers = Array.from({ length: 15_000 }, (_, index) => index);
      const rules = numbers.map(() => ({ id: 'a', properties: { 'security-severity': '9' } }));
      const results = numbers.map((index) => ({ ruleId: index % 2 ? 'a' : 'a/'.repeat(250) }));
      const runs = [{ tool: { driver: { rules } }, results }];
      return m.inspectBytes(Buffer.from(JSON.stringify({ version: '2.1.0', runs }))).findings;
    })()`;
    expect(evaluate('formats/inspect.ts', expression)).toBe('15000');
  });
});

test('SARIF is not counted if a rule is read again for each result of three runs', () => {
  expect(inspect(repeatRule(16)).findings).toBe(48);
  const { findings, ...content } = inspect(repeatRule(17));
  expect([findings, content]).toMatchObject([undefined, { format: 'sarif', inspected: 'partial' }]);
});

test('SARIF is not counted if its ids have more than 500,000 levels', () => {
  const levels = '/a'.repeat(250);
  const results = Array.from({ length: 2100 }, (_, index) => ({ ruleId: index + levels }));
  expect(inspect(document([], results.slice(0, 1900))).findings).toBe(1900);
  expect(inspect(document([], results)).findings).toBeUndefined();
});

function repeatRule(count: number): object {
  const scores = Array.from({ length: 10_000 }, () => '');
  const results = Array.from({ length: count }, () => ({ ruleId: 'a' }));
  return document([rule('a', scores)], results, [], 3);
}
