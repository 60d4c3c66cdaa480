import { describe, expect, test } from '@jest/globals';
import { findWorst, parseSeverity } from '../../src/formats/severity.ts';
import type { Severity } from '../../src/formats/severity.ts';

describe('parseSeverity', () => {
  test.each<[Severity, readonly string[]]>([
    ['critical', ['critical', 'CRITICAL', ' Critical\n']],
    ['high', ['high', 'important', 'error']],
    ['medium', ['medium', 'moderate', 'warning']],
    ['low', ['low', 'note']],
    ['none', ['info', 'informational', 'negligible', 'style', 'none']],
    ['critical', ['10', '10.0', '9.0', '9']],
    ['high', ['8.9', '8.99', '7.0']],
    ['medium', ['6.9', '4.0']],
    ['low', ['3.9', '0.1']],
    ['none', ['0.0', '0', '0.05']],
    ['unknown', ['', 'constructor', 'CVSS:3.1/AV:N', 'criticality', 'not medium']],
    ['unknown', ['NaN', '-1', '10.1', '11', '100', '9,8', '9.', '.9', '1e1', '9.8/10']],
  ])('reads as %s: %j', (severity, texts) => {
    for (const text of texts) expect([text, parseSeverity(text)]).toEqual([text, severity]);
  });
});

test.each<[readonly string[], Severity]>([
  [[], 'unknown'],
  [['nonsense', 'none'], 'none'],
  [['low', '9.1', 'MODERATE', '?'], 'critical'],
  [['5.5', '6.9'], 'medium'],
])('findWorst finds the worst of %j', (texts, severity) => {
  expect(findWorst(texts)).toBe(severity);
});
