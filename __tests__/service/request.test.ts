import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { locateOperation } from '../../src/service/operations.ts';
import { createTraceId, makeCommonHeaders } from '../../src/service/request.ts';
import { getOperation } from '../support/scans.ts';

test('makeCommonHeaders keeps the trace, and makes a new span each time, sampled', () => {
  const id = createTraceId();
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(createTraceId()).not.toBe(id);
  const { traceparent, ...others } = makeCommonHeaders(id);
  expect(traceparent).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-01$`));
  expect(makeCommonHeaders(id).traceparent).not.toBe(traceparent);
  expect(others).toEqual({
    Accept:
      'application/json, text/json, text/plain, application/problem+json;q=0.9, application/*;q=0.1, text/xml;q=0.1',
    'Accept-Encoding': 'identity',
    'User-Agent': expect.stringMatching(/^scan-upload-action\/\d/),
  });
  const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(manifest).toMatchObject({ version: others['User-Agent']?.split('/')[1] });
});

test.each([
  ['', ''],
  [':8443/', ':8443'],
  ['/tenant', '/tenant'],
  ['/a/b//', '/a/b'],
])('locateOperation keeps the prefix of https://scan.example%s', (given, kept) => {
  const url = locateOperation(new URL(`https://scan.example${given}`), getOperation('upload-file'));
  expect(url.href).toBe(`https://scan.example${kept}/v1/scanner/upload-file`);
});
