import { describe, expect, test } from '@jest/globals';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { findInvalid, findOffset, isMarked, findKind } from '../../src/formats/bytes.ts';
import type { Sample } from '../../src/formats/content.ts';
import { evaluate } from '../support/evaluate.ts';

function sample(content: string | Buffer, tail?: Buffer): Sample {
  const bytes = Buffer.from(content);
  return {
    bytes,
    text: new TextDecoder().decode(bytes, { stream: tail !== undefined }),
    tail,
    size: bytes.length,
  };
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

describe('findInvalid', () => {
  test.each([
    ['', undefined],
    ['\xff', 0],
    ['\xc3\xa9\xc3', 2],
    ['a\xed\xa0\x80', 1],
    ['a\xf0\x9f\x98', 1],
    ['\xef\xbf\xbd\xff', 3],
    ['a\xef\xbfb', 1],
    ['\xef\xbb\xbfa\xff', 4],
  ])('finds the first byte of %j that is not UTF-8', (text, offset) => {
    for (const before of ['', 'é', '€', '😀', 'x\ufffd']) {
      const bytes = Buffer.concat([Buffer.from(before), bytesOf(text)]);
      const shift = Buffer.byteLength(before);
      expect(findInvalid(sample(bytes))).toBe(offset === undefined ? undefined : offset + shift);
    }
  });

  test.each(['é', '€', '😀'])('accepts a head that ends inside %s', (character) => {
    const bytes = Buffer.from(`["aaaa${character}`);
    for (let end = bytes.length - Buffer.byteLength(character); end <= bytes.length; end += 1) {
      expect(findInvalid(sample(bytes.subarray(0, end), Buffer.alloc(0)))).toBeUndefined();
    }
    const invalid = Buffer.concat([bytesOf('a\xff'), bytes]);
    expect(findInvalid(sample(invalid, Buffer.alloc(0)))).toBe(1);
  });
});

describe('findOffset', () => {
  test('counts the bytes before a position, including a byte order mark', () => {
    expect(findOffset(sample('aé😀b'), 4)).toBe(7);
    expect(findOffset(sample('\ufeffaé😀b'), 4)).toBe(10);
  });

  test.each([
    ['\xef\xbb\xbf', true],
    ['\xef\xbb\xbf{}', true],
    ['\xef\xbb', false],
    [' \xef\xbb\xbf', false],
  ])('detects a byte order mark in %j: %j', (text, expected) => {
    expect(isMarked(sample(bytesOf(text)))).toBe(expected);
  });
});

describe('findKind', () => {
  test.each<[string, string | Buffer]>([
    ['gzip', gzipSync('{}')],
    ['zip', bytesOf('PK\x03\x04\0\0{}')],
    ['zstd', zstdCompressSync('{}')],
    ['xz', bytesOf('\xfd7zXZ\0')],
    ['bzip2', 'BZh91AY'],
    ['pdf', '%PDF-1.7\n'],
    ['html', '<!DOCTYPE html><html></html>'],
    ['html', ' \n<!doctype HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">'],
    ['html', '<html lang="en">'],
    ['html', `${' '.repeat(5000)}<html>`],
    ['html', '<!-- a -->\n<!----><!-- > -->\t<html>'],
    ['text', '<!-- a -->b<html>'],
    ['text', '<!--><html>'],
    ['text', '<!DOCTYPE htmlx>'],
    ['text', '日本語 😀'],
    ['binary', Buffer.from([0xff, 0xc3, 0x28])],
    ['binary', bytesOf('caf\xe9 au lait')],
  ])('recognises %s', (kind, content) => {
    expect(findKind(sample(content))).toBe(kind);
  });

  test('accepts a character across the end of the first KiB', () => {
    for (const character of ['é', '€', '😀']) {
      for (let before = 1020; before <= 1024; before += 1) {
        expect(findKind(sample('a'.repeat(before) + character.repeat(10)))).toBe('text');
      }
    }
  });

  test('ignores what follows the first KiB', () => {
    expect(findKind(sample(`${'a'.repeat(1024)}\0`))).toBe('text');
    expect(findKind(sample(`${'a'.repeat(1023)}\0`))).toBe('binary');
  });

  test('reads many comments in linear time', () => {
    const text = "'<!---->'.repeat(140) + 'x'";
    const expression = `m.findKind({ bytes: Buffer.from(${text}), text: ${text} })`;
    expect(evaluate('formats/bytes.ts', expression)).toBe('text');
  });
});
