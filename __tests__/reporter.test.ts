import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { setEnvironment } from './support/environment.ts';
import RunReporter from './support/reporter.ts';
import { cleanUp } from './support/scope.ts';
import { addReason, describeSkipped } from './support/skip-reasons.ts';

const CACHE = 'node-compile-cache';

/** Runs the reporter around tests with these names that were skipped, and `work` with its directory. */
function report(names: readonly string[], work: (directory: string) => void = () => {}) {
  const { TMPDIR, TEMP, TMP } = process.env;
  setEnvironment({ TMPDIR, TEMP, TMP });
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  cleanUp(() => write.mockRestore());
  const reporter = new RunReporter();
  reporter.onRunStart();
  const directory = process.env.TMPDIR ?? '';
  work(directory);
  const testResults = names.map((fullName) => ({ status: 'pending', fullName }));
  reporter.onRunComplete(undefined, { testResults: [{ testResults }] });
  expect(existsSync(directory)).toBe(false);
  return {
    text: write.mock.calls.map(([chunk]) => String(chunk)).join(''),
    message: reporter.getLastError()?.message,
  };
}

describe('RunReporter', () => {
  test('prints why tests were skipped', () => {
    const { text, message } = report([addReason('a', 'not as root')]);
    expect([text, message]).toEqual(['\n1 test skipped: not as root\n', undefined]);
  });

  test('fails a run that left something in its temporary directory, except for a cache', () => {
    const { text, message } = report([], (directory) => {
      for (const name of ['a', CACHE]) mkdirSync(join(directory, name));
      writeFileSync(join(directory, 'a', 'b.json'), '');
    });
    expect(message).toBe('The tests left in their temporary directory: a (b.json)');
    expect(text).toBe(`\n${message}\n`);
  });
});

test('describeSkipped counts the tests of each reason, the most frequent one first', () => {
  const nginx = 'nginx is missing (bash scripts/install-programs.sh)';
  const names = ['Windows only', nginx, nginx].map((reason) => addReason('a test', reason));
  expect(describeSkipped([...names, 'a test without a reason'])).toBe(
    `2 tests skipped: ${nginx}; 1: Windows only`,
  );
  expect(describeSkipped(['a test without a reason'])).toBeUndefined();
});
