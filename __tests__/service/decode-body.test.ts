import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { decodeBody } from '../../src/service/decode-body.ts';
import { MIB } from '../support/samples.ts';

const TEXT = `sécret ${'words '.repeat(20)}`;
const FOUR = [1, 2, 3].reduce((bytes) => gzipSync(bytes), gzipSync(TEXT));
const LONG = 'x'.repeat(MIB + 1);

function decode(coding: string, body: string | Buffer): string | undefined {
  return decodeBody({ 'content-encoding': coding }, Buffer.from(body));
}

describe('decodeBody', () => {
  test.each([
    [' , identity, none, utf8,UTF-8', TEXT],
    ['gzip, identity', gzipSync(TEXT)],
    ['X-GZIP', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['deflate,br , gzip', gzipSync(brotliCompressSync(deflateSync(TEXT)))],
    ['gzip,gzip,gzip,gzip', FOUR],
  ])('undoes the content codings %j', (coding, body) => {
    expect(decode(coding, body)).toBe(TEXT);
  });

  test.each([
    ['zstd', 'ok'],
    ['myidentity', 'ok'],
    ['utf-80', 'ok'],
    ['gzip', 'ok'],
    ['gzip', deflateRawSync(TEXT)],
    ['br, gzip', brotliCompressSync(gzipSync(TEXT))],
    ['gzip', gzipSync(LONG)],
    ['br', brotliCompressSync(LONG)],
    ['deflate', deflateRawSync(LONG)],
    ['gzip,gzip,gzip,gzip,gzip', gzipSync(FOUR)],
  ])('returns undefined for what is not valid %s of at most 1 MiB', (coding, body) => {
    expect(decode(coding, body)).toBeUndefined();
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('decodes 1 MiB, nothing that is truncated, and no body at all (%s)', (coding, compress) => {
    const body = compress(LONG.slice(1));
    expect(decode(coding, body)).toHaveLength(MIB);
    expect(decode(coding, body.subarray(0, -1))).toBeUndefined();
    expect(decode(coding, '')).toBe('');
  });

  test.each([
    ['', Buffer.from([0x6f, 0xe9]), undefined],
    ['; charset=utf-16', Buffer.from([0x6f, 0, 0xd8]), undefined],
    ['; charset=iso-8859-1', Buffer.from([0xe9]), 'é'],
    ['', Buffer.from('é'), 'é'],
  ])('decodes strictly %j %j as %j', (charset, body, text) => {
    expect(decodeBody({ 'content-type': `text/plain${charset}` }, body, true)).toBe(text);
  });

  test.each([
    ['', Buffer.from('é'), 'é'],
    ['; charset=iso-8859-1', Buffer.from('é'), 'é'],
    [';charset=iso-8859-1', Buffer.from([0xe9]), 'é'],
    ['; Charset="windows-1252"; x=y', Buffer.from([0x80]), '€'],
    ['; charset=utf-16le', Buffer.from('é€', 'utf16le'), 'é€'],
    ['; charset=utf-16', Buffer.from('ab', 'utf16le'), 'ab'],
    ['; charset=UTF-16', Buffer.from('ab', 'utf16le').swap16(), 'ab'],
    ['; charset=x-utf-16', Buffer.from([0, 0x61]), undefined],
    ['', Buffer.from([0, 0x61]), '\0a'],
    ['; charset=iso-8859-1', Buffer.from('\ufeffab', 'utf16le'), 'ab'],
    ['; charset=iso-8859-1', Buffer.from('\ufeffab', 'utf16le').swap16(), 'ab'],
    ['; charset=utf-16', Buffer.from('\ufeffé'), 'é'],
    ['; charset=nonsense', Buffer.from([0xe9]), undefined],
    ['', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
  ])('decodes the charset of text/plain%s', (charset, body, text) => {
    expect(decodeBody({ 'content-type': `text/plain${charset}` }, body)).toBe(text);
  });
});
