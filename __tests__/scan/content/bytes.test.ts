import { describe, expect, test } from '@jest/globals';
import { Utf8Check, countMarkBytes, skipSpace, trimEnd } from '../../../src/scan/content/bytes.ts';
import { split } from './scanning.ts';

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** Where bytes are that are no UTF-8, looked at in pieces of one size. */
function findInvalid(bytes: Buffer, pieceBytes = bytes.length, offset = 0): number | undefined {
  const check = new Utf8Check(offset);
  for (const piece of split(bytes, [pieceBytes])) {
    const copy = Buffer.from(piece);
    check.push(copy);
    copy.fill('!');
  }
  check.end();
  return check.invalidAt;
}

describe('Utf8Check', () => {
  test.each([
    ['', undefined],
    ['abc', undefined],
    ['caf\xc3\xa9', undefined],
    ['\xef\xbf\xbd', undefined],
    ['\xff', 0],
    ['a\x80', 1],
    ['a\xe9', 1],
    ['a\xe9b', 1],
    ['\xc3\xa9\xc3', 2],
    ['ab\xc0\xaf', 2],
    ['a\xed\xa0\x80', 1],
    ['a\xf5\x80\x80\x80', 1],
    ['a\xf0\x9f\x98', 1],
    ['\xef\xbf\xbd\xff', 3],
    ['a\xef', 1],
    ['a\xef\xbf', 1],
    ['a\xef\xbfb', 1],
    ['a\xefb', 1],
  ])('finds where %j is not UTF-8', (text, offset) => {
    for (const size of [1, 2, 3, 4, 7, 100]) {
      expect([size, findInvalid(bytesOf(text), size)]).toEqual([size, offset]);
      const shifted = offset === undefined ? undefined : offset + 10;
      expect(findInvalid(bytesOf(text), size, 10)).toBe(shifted);
    }
  });

  test.each(['\xff', '\xe9a', '\x80\x80\x80\x80\x80', '\xef\xbfa', '\xf0\x9f\x98"'])(
    'finds it at the edge of a piece, too: %j',
    (invalid) => {
      for (let before = 0; before < 20; before += 1) {
        for (let size = 1; size < 20; size += 1) {
          const text = bytesOf('a'.repeat(before) + invalid + 'b'.repeat(10));
          expect([before, size, findInvalid(text, size)]).toEqual([before, size, before]);
        }
      }
    },
  );

  test.each(['\xff', '\xf5', '\xc1', '\x80'])(
    'knows at the end of a piece what begins no character: %j',
    (byte) => {
      const check = new Utf8Check(0);
      check.push(bytesOf(`a${byte}`));
      expect(check.invalidAt).toBe(1);
    },
  );

  test.each(['é', '€', '😀'])('minds no character at the edge of a piece: %s', (character) => {
    for (let before = 0; before < 5; before += 1) {
      for (let size = 1; size < 12; size += 1) {
        const text = Buffer.from('a'.repeat(before) + character.repeat(20));
        expect(findInvalid(text, size)).toBeUndefined();
        expect(findInvalid(Buffer.concat([text, Buffer.of(0xff)]), size)).toBe(text.length);
      }
    }
  });

  test('waits for the end of a character, and minds where there is none', () => {
    const check = new Utf8Check(0);
    check.push(bytesOf('a\xf0\x9f\x98'));
    expect(check.invalidAt).toBeUndefined();
    check.end();
    expect(check.invalidAt).toBe(1);
  });

  test('keeps to the first place', () => {
    const check = new Utf8Check(0);
    for (const piece of ['a', '\xff', 'b', '\xfe']) check.push(bytesOf(piece));
    check.end();
    expect(check.invalidAt).toBe(1);
  });
});

describe('white space and marks', () => {
  test('is what JSON and XML take for it', () => {
    const bytes = Array.from({ length: 256 }, (_, byte) => byte);
    const spaces = [0x09, 0x0a, 0x0d, 0x20];
    expect(bytes.filter((byte) => skipSpace(Buffer.of(byte), 0) === 1)).toEqual(spaces);
    expect(bytes.filter((byte) => trimEnd(Buffer.of(byte)).length === 0)).toEqual(spaces);
  });

  test('is passed and cut off', () => {
    expect(skipSpace(bytesOf(' \n\ta '), 0)).toBe(3);
    expect(skipSpace(bytesOf('a  '), 1)).toBe(3);
    expect(skipSpace(bytesOf('a'), 0)).toBe(0);
    expect(trimEnd(bytesOf(' a \r\n')).toString()).toBe(' a');
    expect(trimEnd(bytesOf(' \n')).length).toBe(0);
  });

  test.each([
    ['\xef\xbb\xbf', 3],
    ['\xef\xbb\xbf{}', 3],
    ['\xef\xbb\xbf\xef\xbb\xbf', 3],
    ['\xef\xbb', 0],
    [' \xef\xbb\xbf', 0],
    ['\xff\xfe', 0],
    ['', 0],
  ])('counts the bytes of a mark: %j', (text, count) => {
    expect(countMarkBytes(bytesOf(text))).toBe(count);
  });
});
