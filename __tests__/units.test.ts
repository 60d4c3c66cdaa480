import { describe, expect, test } from '@jest/globals';
import { formatBytes, formatDuration, formatShare } from '../src/units.ts';

describe('formatBytes', () => {
  test.each([
    [0, '0 bytes'],
    [1, '1 bytes'],
    [1023, '1023 bytes'],
    [1024, '1.0 KiB'],
    [1536, '1.5 KiB'],
    [1024 ** 2, '1.0 MiB'],
    [30_000_000, '28.6 MiB'],
    [1.25 * 1024 ** 3, '1.3 GiB'],
    [1024 ** 4, '1.0 TiB'],
    [5000 * 1024 ** 4, '5000.0 TiB'],
  ])('formats %i as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

test('formatShare has the unit of the whole, and at most one digit after the point', () => {
  const MIB = 1024 ** 2;
  const shares = [formatShare(0, 3e6), formatShare(1e6, 3e6), formatShare(30 * MIB, 30 * MIB)];
  expect(shares).toEqual(['0 of 2.9 MiB', '1 of 2.9 MiB', '30 of 30 MiB']);
});

describe('formatDuration', () => {
  test.each([
    [0, '0 ms'],
    [0.6, '1 ms'],
    [40, '40 ms'],
    [999, '999 ms'],
    [1000, '1.0 s'],
    [7549, '7.5 s'],
    [10_000, '10 s'],
    [75_400, '75 s'],
    [900_000, '900 s'],
    [86_400_000, '86400 s'],
    [86_401_000, 'over a day'],
  ])('formats %i as %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });
});
