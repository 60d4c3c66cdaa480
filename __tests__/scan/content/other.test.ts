import { describe, expect, test } from '@jest/globals';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describeOther } from '../../../src/scan/content/other.ts';
import { evaluate } from '../../service/guarded.ts';
import { sampleEnds, sampleWhole } from '../fixtures.ts';

const HTML = 'a web page (HTML)';

function name(content: string | Buffer): string | undefined {
  return describeOther(sampleWhole(content)).kind;
}

describe('describeOther', () => {
  test.each<[string, string | Buffer]>([
    ['gzip-compressed data', gzipSync('{}')],
    ['a ZIP archive', Buffer.from('PK\x03\x04\0\0{}', 'latin1')],
    ['zstd-compressed data', zstdCompressSync('{}')],
    ['xz-compressed data', Buffer.from('\xfd7zXZ\0', 'latin1')],
    ['bzip2-compressed data', 'BZh91AY'],
    ['a PDF document', '%PDF-1.7\n'],
    [HTML, '<!DOCTYPE html><html></html>'],
    [HTML, ' \n<!doctype HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">'],
    [HTML, '<html lang="en">'],
    [HTML, '\ufeff<html>'],
    [HTML, '<!-- a -->\n<!----><!-- > -->\t<html>'],
    ['text', '<!-- a --><html'],
    ['text', '<!-- a -->b<html>'],
    ['text', '<!-- <html>'],
    ['text', '<!--><html>'],
    ['text', 'no findings\n'],
    ['text', 'id,severity\n1,high\n'],
    ['text', '<!DOCTYPE htmlx>'],
    ['text', '<htmlx>'],
    ['text', 'see <html>'],
    ['text', '日本語 😀'],
    ['binary data', Buffer.from('a\0b')],
    ['binary data', Buffer.from([0xff, 0xc3, 0x28])],
    ['binary data', Buffer.from('caf\xe9 au lait', 'latin1')],
  ])('knows %s', (kind, content) => {
    expect(describeOther(sampleWhole(content))).toEqual({
      format: 'unknown',
      inspected: 'whole',
      kind,
    });
  });

  test('minds no character across the edge of what is looked at', () => {
    for (const character of ['é', '€', '😀']) {
      for (let before = 1020; before <= 1024; before += 1) {
        expect(name('a'.repeat(before) + character.repeat(10))).toBe('text');
      }
    }
  });

  test('is done with a row of comments at once', () => {
    const sample = "{ head: Buffer.from('<!---->'.repeat(140) + 'x'), isWhole: true }";
    expect(evaluate('scan/content/other.ts', `m.describeOther(${sample}).kind`)).toBe('text');
  });

  test('looks at the first KiB', () => {
    expect(name(`${'a'.repeat(1024)}\0`)).toBe('text');
    expect(name(`${'a'.repeat(1023)}\0`)).toBe('binary data');
    expect(describeOther(sampleEnds('text', '\0'))).toEqual({
      format: 'unknown',
      inspected: 'ends',
      kind: 'text',
    });
  });
});
