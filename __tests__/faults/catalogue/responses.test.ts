import { expect, test } from '@jest/globals';
import { CASE_MS, listRuns } from '../harness/group.ts';

test.concurrent.each(listRuns('responses'))(
  'keeps the promise: $name',
  async ({ run }) => expect(await run()).toEqual([]),
  CASE_MS,
);
