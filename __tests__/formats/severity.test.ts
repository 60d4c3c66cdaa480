import { describe, expect, test } from '@jest/globals';
import { SEVERITIES, findWorst, parseSeverity } from '../../src/formats/severity.ts';
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
    ['unknown', ['', ' ', 'constructor', '__proto__', 'very high', 'CVSS:3.1/AV:N']],
    ['unknown', ['criticality', 'highest', 'warnings', 'lowest', 'notes', 'information']],
    ['unknown', ['uncritical', 'not medium', 'too low', 'no info']],
    ['unknown', ['NaN', 'Infinity', '-1', '-0', '+9.8', '10.1', '11', '100', '\u0669.\u0668']],
    ['unknown', ['9,8', '9.', '.9', '1e1', '0x9', '9.8/10']],
  ])('reads as %s: %j', (severity, texts) => {
    for (const text of texts) expect([text, parseSeverity(text)]).toEqual([text, severity]);
  });
});

describe('findWorst', () => {
  test('finds the worse of any two', () => {
    for (const [index, worse] of SEVERITIES.entries()) {
      for (const better of SEVERITIES.slice(index)) {
        expect(findWorst([worse, better])).toBe(worse);
        expect(findWorst([better, worse])).toBe(worse);
      }
    }
  });

  test.each<[readonly string[], Severity]>([
    [[], 'unknown'],
    [['nonsense', ''], 'unknown'],
    [['nonsense', 'none'], 'none'],
    [['low', '9.1', 'MODERATE', '?'], 'critical'],
    [['5.5', '6.9'], 'medium'],
  ])('finds the worst of %j', (texts, severity) => {
    expect(findWorst(texts)).toBe(severity);
  });
});
