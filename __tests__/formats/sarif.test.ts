import { describe, expect, test } from '@jest/globals';
import type { Severity } from '../../src/formats/severity.ts';
import { countSeverities, inspect } from '../support/documents.ts';
import { evaluate } from '../support/workspace.ts';

// What is counted in whole documents: reports.yml.

function rule(id: string | undefined, score: unknown): object {
  return { id, properties: { 'security-severity': score } };
}

describe('the rule of a SARIF result', () => {
  const DRIVER = [rule('a', '0'), rule('b', '2'), rule(undefined, '5')];
  const EXTENSIONS = [
    { rules: [rule('e', '9')] },
    { rules: [rule('a', '10'), rule('f', '8'), rule('e', '1')] },
  ];

  test.each<[string, object, Severity]>([
    ['of the driver, by its id', { ruleId: 'a' }, 'none'],
    ['of an extension, by its id', { ruleId: 'f', ruleIndex: 0 }, 'high'],
    ['of the first extension that has its id', { ruleId: 'e' }, 'critical'],
    ['at its index', { ruleIndex: 2 }, 'medium'],
    ['with its id, if there is another at its index', { ruleId: 'b', ruleIndex: 0 }, 'low'],
    ['at its index, if none has its id', { ruleId: 'c', ruleIndex: 2 }, 'medium'],
    ['none that has its id or index', { ruleId: 'c' }, 'unknown'],
    ['none without an id or an index', {}, 'unknown'],
    ['none at an index of -1', { ruleIndex: -1 }, 'unknown'],
    ['of the driver, at the index of its reference', { rule: { index: 1 } }, 'low'],
    ['of the driver, by the id of its reference', { rule: { id: 'b' } }, 'low'],
    ['at the index of an extension', { rule: { index: 1, toolComponent: { index: 1 } } }, 'high'],
    [
      'by its id in an extension',
      { ruleId: 'a', rule: { toolComponent: { index: 1 } } },
      'critical',
    ],
    ['with its id but for the last part', { ruleId: 'f/1' }, 'high'],
    ['with its id but for the last part, at its index', { ruleId: 'b/1', ruleIndex: 1 }, 'low'],
    ['none with the first letters of its id', { ruleId: 'fa' }, 'unknown'],
  ])('is %s', (_, result, severity) => {
    const tool = { driver: { rules: DRIVER }, extensions: EXTENSIONS };
    const runs = [{ tool, results: [{ ...result, level: 'x' }] }];
    const { severities } = inspect({ version: '2.1.0', runs });
    expect(severities).toEqual(countSeverities({ [severity]: 1 }));
  });

  test('is found in a time that does not depend on how many components a tool has', () => {
    const expression = `(() => {
      const list = (item) => Array.from({ length: 50_000 }, (_, index) => item(index));
      const tool = { driver: {}, extensions: list((index) => ({ name: index })) };
      const results = list((index) => ({ rule: { id: 'a/' + index, toolComponent: { index } } }));
      const runs = [{ tool, results }];
      return m.inspectBytes(Buffer.from(JSON.stringify({ version: '2.1.0', runs }))).findings;
    })()`;
    expect(evaluate('formats/inspect-bytes.ts', expression)).toBe('50000');
  });

  test('is read once for 100,000 results, however many scores it has', () => {
    const expression = `(() => {
      const many = (length, item) => Array.from({ length }, () => item);
      const rules = [{ id: 'a', properties: { 'security-severity': many(300_000, '') } }];
      const runs = [{ tool: { driver: { rules } }, results: many(100_000, { ruleId: 'a' }) }];
      return m.inspectBytes(Buffer.from(JSON.stringify({ version: '2.1.0', runs }))).findings;
    })()`;
    expect(evaluate('formats/inspect-bytes.ts', expression)).toBe('100000');
  });
});
