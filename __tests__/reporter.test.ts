import { expect, test } from '@jest/globals';
import { addReason, describeSkipped } from './support/skip-reasons.ts';

test('describeSkipped counts the tests of each reason, the most frequent one first', () => {
  const nginx = 'nginx is missing (bash scripts/install-programs.sh)';
  const names = ['Windows only', nginx, nginx].map((reason) => addReason('a test', reason));
  expect(describeSkipped([...names, 'a test without a reason'])).toBe(
    `2 tests skipped: ${nginx}; 1: Windows only`,
  );
  expect(describeSkipped(['a test without a reason'])).toBeUndefined();
});
