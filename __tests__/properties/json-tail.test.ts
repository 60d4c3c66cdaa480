import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { findLastMembers } from '../../src/scan/content/json-tail.ts';
import type { Tree } from '../scan/content/telling.ts';
import { CONTAINER, STYLE, writeMembers, writeTree } from './json-arbitraries.ts';

function isList(tree: Tree): boolean {
  return 'items' in tree;
}

function closingOf(tree: Tree): ']' | '}' {
  return isList(tree) ? ']' : '}';
}

/** White space that may follow. */
const SPACE = fc.constantFrom('', '\n', ' \r\n\t');

describe('findLastMembers', () => {
  test('gives the whole members at the end of any tail', () => {
    fc.assert(
      fc.property(CONTAINER, STYLE, SPACE, (tree, style, space) => {
        const [open, close] = isList(tree) ? ['[', ']'] : ['{', '}'];
        const members = writeMembers(tree, style).map((text) => Buffer.from(text));
        const ends: number[] = [];
        let length = 1;
        for (const member of members) {
          length += member.length + 1;
          ends.push(length);
        }
        const text = Buffer.from(`${open}${members.map(String).join(',')}${close}`);
        const whole = Buffer.concat([text, Buffer.from(space)]);
        expect(findLastMembers(whole, closingOf(tree))).toBe('unseen');
        for (let start = 1; start < text.length; start += 1) {
          // A member begins behind the first comma in sight, the closing bracket alone is always whole.
          const first = ends.slice(0, -1).find((end) => end > start) ?? text.length - 1;
          expect([
            start,
            findLastMembers(whole.subarray(start), closingOf(tree)).toString(),
          ]).toEqual([start, text.subarray(first).toString()]);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('sees that it is cut where the last bracket closes what begins in sight', () => {
    fc.assert(
      fc.property(CONTAINER, CONTAINER, STYLE, SPACE, (outer, inner, style, space) => {
        const before = `${writeTree(outer, style).trim().slice(0, -1)},`;
        const text = Buffer.from(`${before}${writeTree(inner, style).trim()}${space}`);
        const end = Buffer.byteLength(before);
        for (let start = 0; start <= end; start += 1) {
          const last = findLastMembers(text.subarray(start), closingOf(inner));
          expect([start, last]).toEqual([start, start < end ? 'cut' : 'unseen']);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('sees another value where one ends before', () => {
    fc.assert(
      fc.property(CONTAINER, CONTAINER, STYLE, SPACE, (first, second, style, space) => {
        const before = writeTree(first, style).trim();
        const text = Buffer.from(`${before}${space}${writeTree(second, style).trim()}${space}`);
        const end = Buffer.byteLength(before);
        for (let start = 0; start < end + space.length; start += 1) {
          const last = findLastMembers(text.subarray(start), closingOf(second));
          expect([start, last]).toEqual([start, start < end ? 'another value' : 'unseen']);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('sees nothing in white space', () => {
    for (const space of ['', ' ', '\r\n\t ']) {
      expect(findLastMembers(Buffer.from(space), '}')).toBe('unseen');
    }
  });

  test('sees that it is cut where another byte is last', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 20 }), SPACE, (bytes, space) => {
        const text = Buffer.concat([bytes, Buffer.from(space)]);
        const last = text[text.toString('latin1').replace(/[ \t\r\n]+$/, '').length - 1];
        const other = last === 0x7d ? ']' : '}';
        expect(findLastMembers(text, other)).toBe(last === undefined ? 'unseen' : 'cut');
      }),
      { numRuns: 500 },
    );
  });
});
