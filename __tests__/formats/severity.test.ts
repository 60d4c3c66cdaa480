import { describe, expect, test } from '@jest/globals';
import { SEVERITIES, countNone, findWorst, parseSeverity } from '../../src/formats/severity.ts';
import type { Severity } from '../../src/formats/severity.ts';

describe('parseSeverity', () => {
  test.each<[string, Severity]>([
    ['critical', 'critical'],
    ['high', 'high'],
    ['important', 'high'],
    ['medium', 'medium'],
    ['moderate', 'medium'],
    ['low', 'low'],
    ['info', 'none'],
    ['informational', 'none'],
    ['negligible', 'none'],
    ['none', 'none'],
    ['unknown', 'unknown'],
  ])('knows the word %s in any letters', (word, severity) => {
    const capitalised = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
    for (const form of [word, word.toUpperCase(), capitalised, ` ${word}\n`]) {
      expect([form, parseSeverity(form)]).toEqual([form, severity]);
    }
  });

  test.each<[string, Severity]>([
    ['10', 'critical'],
    ['10.0', 'critical'],
    ['9.0', 'critical'],
    ['9', 'critical'],
    ['8.9', 'high'],
    ['8.99', 'high'],
    ['7.0', 'high'],
    ['6.9', 'medium'],
    ['4.0', 'medium'],
    ['3.9', 'low'],
    ['0.1', 'low'],
    ['0.0', 'none'],
    ['0', 'none'],
    ['0.05', 'none'],
  ])('knows the score %s', (score, severity) => {
    expect(parseSeverity(score)).toBe(severity);
  });

  test.each([
    '',
    ' ',
    'constructor',
    '__proto__',
    'toString',
    'criticality',
    'very high',
    'hoch',
    'NaN',
    'Infinity',
    '-1',
    '-0',
    '+9.8',
    '10.1',
    '11',
    '100',
    '9,8',
    '9.',
    '.9',
    '1e1',
    '0x9',
    '9.8/10',
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    '\u0669.\u0668',
  ])('makes nothing of %j', (text) => {
    expect(parseSeverity(text)).toBe('unknown');
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

  test('counts from nothing, each time anew', () => {
    const counts = countNone();
    expect(Object.entries(counts)).toEqual(SEVERITIES.map((severity) => [severity, 0]));
    counts.high += 1;
    expect(countNone().high).toBe(0);
  });
});
