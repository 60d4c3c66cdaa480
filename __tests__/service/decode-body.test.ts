import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { decodeBody } from '../../src/service/decode-body.ts';
import { MIB } from '../support/workspace.ts';

const TEXT = `sécret ${'words '.repeat(20)}`;
const LONG = 'x'.repeat(MIB);
const LONGER = 'x'.repeat(MIB + 1);

test.each<[string, string, string | Buffer, string | undefined]>([
  ['', 'text', TEXT, TEXT],
  [' identity ', 'text', TEXT, TEXT],
  ['none', 'text', TEXT, TEXT],
  ['utf8', 'text', TEXT, TEXT],
  ['UTF-8', 'text', TEXT, TEXT],
  ['X-GZIP ', 'text', gzipSync(TEXT), TEXT],
  ['deflate', 'the longest text', deflateSync(LONG), LONG],
  ['gzip', 'nothing', '', ''],
  ['gzip', 'a part', gzipSync(TEXT).subarray(0, -1), undefined],
  ['gzip', 'a longer text', gzipSync(LONGER), undefined],
  ['gzip, gzip', 'text', gzipSync(gzipSync(TEXT)), undefined],
  ['deflate', 'text without a head', deflateRawSync(TEXT), undefined],
  ['zstd', 'text', 'ok', undefined],
  ['myidentity', 'text', 'ok', undefined],
])('decodeBody undoes the content coding %j of %s', (coding, _, body, text) => {
  const decoded = decodeBody({ 'content-encoding': coding }, Buffer.from(body), true);
  expect(decoded === text || [decoded]).toBe(true);
});

/** Of a charset the text of bytes, and what is read of them strictly. */
test.each<[string, readonly number[] | string, string, string | undefined]>([
  ['', 'é', 'é', 'é'],
  ['', '\ufeffé', 'é', 'é'],
  ['', [0x61, 0xff, 0x62], 'a\ufffdb', undefined],
  ['; Charset="windows-1252"; x=y', [0x80], '€', '€'],
  ['; charset=iso-8859-1', [0xe9], 'é', 'é'],
  ['; charset=utf-16le', [0x6f, 0, 0xd8], 'o\ufffd', undefined],
  ['; charset=UTF-16', [0xfe, 0xff, 0, 0x6f], 'o', 'o'],
  ['; charset=utf-16', [0xff, 0xfe, 0x6f, 0], 'o', 'o'],
  ['; charset=utf-16', [0x6f, 0, 0x6b, 0], 'o\0k\0', undefined],
  ['', [0, 0x6f, 0x6b, 0, 0], '\0ok\0\0', '\0ok\0\0'],
  ['', [0x6f, 0, 0x6b, 0], 'o\0k\0', undefined],
  ['; charset=nonsense', [0x61, 0xff], 'a\ufffd', undefined],
])('decodeBody decodes text/plain%s: %j', (charset, bytes, text, strict) => {
  const headers = { 'content-type': `text/plain${charset}` };
  const body = typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes);
  const decoded = [false, true].map((fatal) => decodeBody(headers, body, fatal));
  expect(decoded).toEqual([text, strict]);
});
