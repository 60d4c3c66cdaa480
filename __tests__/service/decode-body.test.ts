import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { decodeBody } from '../../src/service/decode-body.ts';
import { MIB } from '../support/samples.ts';

const TEXT = `sécret ${'words '.repeat(20)}`;
const LONG = 'x'.repeat(MIB + 1);

function decode(coding: string, body: string | Buffer): string | undefined {
  return decodeBody({ 'content-encoding': coding }, Buffer.from(body), MIB);
}

describe('decodeBody', () => {
  test.each<[string, string | Buffer]>([
    ['', TEXT],
    [' identity ', TEXT],
    ['none', TEXT],
    ['utf8', TEXT],
    ['UTF-8', TEXT],
    ['X-GZIP ', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
  ])('undoes the content coding %s (row %#)', (coding, body) => {
    expect(decode(coding, body)).toBe(TEXT);
  });

  test.each<[string, string | Buffer]>([
    ['zstd', 'ok'],
    ['myidentity', 'ok'],
    ['gzip', 'ok'],
    ['gzip', deflateRawSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['gzip, gzip', gzipSync(gzipSync(TEXT))],
    ['gzip', gzipSync(LONG)],
    ['deflate', deflateSync(LONG)],
  ])('returns undefined for what is not valid %s of at most 1 MiB (row %#)', (coding, body) => {
    expect(decode(coding, body)).toBeUndefined();
  });

  test.each([
    ['gzip', 'gzip', gzipSync],
    ['deflate', 'deflate', deflateSync],
  ])('decodes 1 MiB, nothing that is truncated, and no body at all (%s)', (_, coding, compress) => {
    const body = compress(LONG.slice(1));
    expect(decode(coding, body)).toHaveLength(MIB);
    expect(decode(coding, body.subarray(0, -1))).toBeUndefined();
    expect(decode(coding, '')).toBe('');
  });

  test.each([
    ['', Buffer.from([0x6f, 0xe9]), undefined],
    ['; charset=utf-16le', Buffer.from([0x6f, 0, 0xd8]), undefined],
    ['; charset=iso-8859-1', Buffer.from([0xe9]), 'é'],
    ['', Buffer.from('é'), 'é'],
  ])('decodes strictly %j %j as %j', (charset, body, text) => {
    expect(decodeBody({ 'content-type': `text/plain${charset}` }, body, MIB, true)).toBe(text);
  });

  test.each<[string, Buffer, string]>([
    ['', Buffer.from('\ufeffé'), 'é'],
    ['; Charset="windows-1252"; x=y', Buffer.from([0x80]), '€'],
    ['; charset=utf-16le', Buffer.from('é€', 'utf16le'), 'é€'],
    ['; charset=nonsense', Buffer.from('é'), 'é'],
    ['', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
  ])('decodes the charset of text/plain%s (row %#)', (charset, body, text) => {
    expect(decodeBody({ 'content-type': `text/plain${charset}` }, body, MIB)).toBe(text);
  });
});
