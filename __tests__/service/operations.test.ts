import { describe, expect, test } from '@jest/globals';
import { findBaseUrl, locateOperation } from '../../src/service/operations.ts';
import { getOperation } from '../support/plans.ts';

describe('locateOperation', () => {
  test.each([
    ['https://scan.example', 'https://scan.example/v1/scanner/upload-file'],
    ['https://scan.example/', 'https://scan.example/v1/scanner/upload-file'],
    ['https://scan.example:8443/', 'https://scan.example:8443/v1/scanner/upload-file'],
    ['https://scan.example/tenant', 'https://scan.example/tenant/v1/scanner/upload-file'],
    ['https://scan.example/tenant/', 'https://scan.example/tenant/v1/scanner/upload-file'],
    ['https://scan.example/a/b//', 'https://scan.example/a/b/v1/scanner/upload-file'],
  ])('keeps the prefix of %s', (baseUrl, expected) => {
    expect(locateOperation(new URL(baseUrl), getOperation('upload-file')).href).toBe(expected);
  });
});

describe('findBaseUrl', () => {
  test.each([
    ['https://scan.example/v1/scanner/upload-file', 'https://scan.example'],
    ['https://scan.example:8443/tenant/v1/scanner/other?a#b', 'https://scan.example:8443/tenant'],
    ['https://scan.example/v1/scanner/v1/scanner/upload-file', 'https://scan.example/v1/scanner'],
    ['https://scan.example/v1/scanner/', undefined],
    ['https://scan.example/v1/scanner/upload-file/', undefined],
    ['https://scan.example/login', undefined],
    ['https://scan.example/a-page-of-another-name', undefined],
    ['https://scan.example/v1/scanner/2/upload-file', undefined],
  ])('returns for %s: %j', (url, expected) => {
    expect(findBaseUrl(new URL(url))).toBe(expected);
  });
});
