import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { displayPath } from '../../src/files/paths.ts';

const WORKSPACE = resolve('/checkout/repo');

describe('displayPath', () => {
  test.each([
    ['a.json', 'a.json'],
    ['a/b.json', 'a/b.json'],
    ['..x/a.json', '..x/a.json'],
    ['...', '...'],
    ['.', WORKSPACE],
    ['..', resolve('/checkout')],
    ['../a.json', resolve('/checkout/a.json')],
    ['../repo-2/a.json', resolve('/checkout/repo-2/a.json')],
  ])('shows %s in the workspace as %s', (path, shown) => {
    expect(displayPath(join(WORKSPACE, path), WORKSPACE)).toBe(shown);
  });
});
