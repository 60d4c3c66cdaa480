import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { decodeBody } from '../../src/service/decode-body.ts';
import { MIB } from '../support/samples.ts';

const TEXT = `sécret ${'words '.repeat(20)}`;

function decode(
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
): string | undefined {
  return decodeBody(headers, Buffer.from(body));
}

describe('decodeBody', () => {
  test.each([
    ['', Buffer.from(TEXT)],
    [' , identity, none, utf8,UTF-8', Buffer.from(TEXT)],
    ['gzip', gzipSync(TEXT)],
    ['X-GZIP', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['deflate,br , gzip', gzipSync(brotliCompressSync(deflateSync(TEXT)))],
    ['gzip,gzip,gzip,gzip', [1, 2, 3].reduce((bytes) => gzipSync(bytes), gzipSync(TEXT))],
  ])('undoes the content codings %j', (coding, body) => {
    expect(decode({ 'content-encoding': coding }, body)).toBe(TEXT);
  });

  test.each([
    ['zstd', 'ok'],
    ['myidentity', 'ok'],
    ['utf-80', 'ok'],
    ['constructor', 'ok'],
    ['gzip', 'ok'],
    ['br, gzip', brotliCompressSync(gzipSync(TEXT))],
    ['gzip', gzipSync('x'.repeat(MIB + 1))],
    ['br', brotliCompressSync(Buffer.from('x'.repeat(MIB + 1)))],
    ['deflate', deflateSync('x'.repeat(MIB + 1))],
    ['deflate', deflateRawSync('x'.repeat(MIB + 1))],
    ['gzip,gzip,gzip,gzip,gzip', [1, 2, 3, 4].reduce((b) => gzipSync(b), gzipSync(TEXT))],
  ])('returns undefined for what is not valid %s of at most 1 MiB', (coding, body) => {
    expect(decode({ 'content-encoding': coding }, body)).toBeUndefined();
  });

  test.each(['gzip', 'zstd', 'br'])('returns no text for an empty body (%s)', (coding) => {
    expect(decode({ 'content-encoding': coding }, '')).toBe('');
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('decodes 1 MiB, but nothing that is truncated (%s)', (coding, compress) => {
    const body = compress('x'.repeat(MIB));
    expect(decode({ 'content-encoding': coding }, body)).toHaveLength(MIB);
    expect(decode({ 'content-encoding': coding }, body.subarray(0, -1))).toBeUndefined();
  });

  test.each([
    [undefined, Buffer.from('é'), 'é'],
    ['text/plain; charset=iso-8859-1', Buffer.from('é'), 'é'],
    ['text/plain; charset=iso-8859-1', Buffer.from([0xe9]), 'é'],
    ['text/plain;charset=iso-8859-1', Buffer.from([0xe9]), 'é'],
    ['text/plain; Charset="windows-1252"; x=y', Buffer.from([0x80]), '€'],
    ['text/plain; charset=utf-16le', Buffer.from('é€', 'utf16le'), 'é€'],
    ['text/plain; charset=utf-16', Buffer.from('ab', 'utf16le'), 'ab'],
    ['text/plain; charset=UTF-16', Buffer.from('ab', 'utf16le').swap16(), 'ab'],
    ['text/plain; charset=x-utf-16', Buffer.from([0, 0x61]), undefined],
    ['text/plain', Buffer.from([0, 0x61]), '\0a'],
    ['text/plain; charset=iso-8859-1', Buffer.from([0, 0xe9]), '\0é'],
    ['text/plain; charset=iso-8859-1', Buffer.from('\ufeffab', 'utf16le'), 'ab'],
    ['text/plain; charset=iso-8859-1', Buffer.from('\ufeffab', 'utf16le').swap16(), 'ab'],
    ['text/plain; charset=utf-16', Buffer.from('\ufeffé'), 'é'],
    [
      'text/plain; charset=iso-8859-1',
      Buffer.from([0xef, 0xbb, 0xbf, 0xc3, 0xa9, 0xff]),
      'é\ufffd',
    ],
    ['text/plain; charset=nonsense', Buffer.from('é'), 'é'],
    ['text/plain; charset=nonsense', Buffer.from([0xe9]), undefined],
    ['text/plain; charset=', Buffer.from([0xe9]), '\ufffd'],
    ['text/plain', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
  ])('decodes the charset of %s', (type, body, text) => {
    expect(decode(type === undefined ? {} : { 'content-type': type }, body)).toBe(text);
  });
});
