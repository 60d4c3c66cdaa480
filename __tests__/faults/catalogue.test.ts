import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { GROUPS } from './cases/index.ts';

test('every group of the catalogue has a test file', () => {
  const files = readdirSync(join(import.meta.dirname, 'catalogue'));
  expect(files.toSorted()).toEqual(Object.keys(GROUPS).map((name) => `${name}.test.ts`));
});
