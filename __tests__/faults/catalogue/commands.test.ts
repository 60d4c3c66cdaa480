import { afterAll, expect, test } from '@jest/globals';
import { CASE_MS, Group } from '../harness/group.ts';

const group = new Group('commands');

afterAll(() => group.printTable());

test.concurrent.each(group.runs)(
  'keeps the promise: $name',
  async (run) => expect(await group.findViolations(run)).toEqual([]),
  CASE_MS,
);
