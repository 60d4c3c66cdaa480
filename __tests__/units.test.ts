import { expect, test } from '@jest/globals';
import { countAttempts, formatBytes, formatDuration, formatShare } from '../src/units.ts';

const MIB = 1024 ** 2;

test.each([
  [formatBytes(0), '0 bytes'],
  [formatBytes(1023), '1023 bytes'],
  [formatBytes(1024), '1.0 KiB'],
  [formatBytes(1536), '1.5 KiB'],
  [formatBytes(MIB), '1.0 MiB'],
  [formatBytes(1.25 * 1024 ** 3), '1.3 GiB'],
  [formatBytes(1024 ** 4), '1.0 TiB'],
  [formatBytes(5000 * 1024 ** 4), '5000.0 TiB'],
  [formatShare(0, 3e6), '0 of 2.9 MiB'],
  [formatShare(1e6, 3e6), '1 of 2.9 MiB'],
  [formatShare(30 * MIB, 30 * MIB), '30 of 30 MiB'],
  [formatDuration(0.6), '1 ms'],
  [formatDuration(999), '999 ms'],
  [formatDuration(1000), '1.0 s'],
  [formatDuration(7549), '7.5 s'],
  [formatDuration(10_000), '10 s'],
  [formatDuration(75_400), '75 s'],
  [formatDuration(86_400_000), '86400 s'],
  [formatDuration(86_401_000), 'over a day'],
  [countAttempts(1), '1 attempt'],
  [countAttempts(2), '2 attempts'],
])('formats for people: %s', (text, expected) => {
  expect(text).toBe(expected);
});
