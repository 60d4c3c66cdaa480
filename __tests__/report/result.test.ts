import { describe, expect, test } from '@jest/globals';
import { isSuccessful } from '../../src/report/result.ts';

describe('isSuccessful', () => {
  test.each([
    ['accepted', true],
    ['dry-run', true],
    ['skipped', true],
    ['rejected', false],
    ['not-sent', false],
    ['unconfirmed', false],
  ] as const)('of %s is %s', (result, expected) => {
    expect(isSuccessful(result)).toBe(expected);
  });
});
