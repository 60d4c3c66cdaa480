import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { MAX_SHOWN_CHARACTERS } from '../../src/report/clean.ts';
import { makeOutputs, setOutputs } from '../../src/report/outputs.ts';
import type { ResultName } from '../../src/report/result.ts';
import { parseProblem } from '../../src/service/problem.ts';
import { makeFolder } from '../support/directories.ts';
import { setEnvironment } from '../support/environment.ts';
import {
  DIGEST,
  ENTRY,
  FAILURE,
  captureOutput,
  makeStep,
  parseOutputs,
} from '../support/report.ts';
import type { SingleStep } from '../support/report.ts';
import { SCAN_KEY } from '../support/samples.ts';

const MANIFEST = `[{"part":"ScanJsonFile","path":"out/scan.json","bytes":1229,"sha256":"${DIGEST}","format":"json","inspected":"full"}]`;

const ACCEPTED = {
  uploaded: 'true',
  result: 'accepted',
  operation: 'upload-file',
  'status-code': '200',
  attempts: '1',
  manifest: MANIFEST,
  'problem-details': '',
  error: '',
  results: `[{"name":null,"scan-key":"${SCAN_KEY}","uploaded":true,"result":"accepted","operation":"upload-file","status-code":200,"attempts":1,"manifest":${MANIFEST},"problem-details":null,"error":""}]`,
};

function make(step: SingleStep): Readonly<Record<string, string>> {
  return makeOutputs(makeStep(step));
}

function makeProblemOutput(text: string): string {
  const problem = parseProblem('application/problem+json', text);
  return make({ result: 'rejected', problem })['problem-details'] ?? '';
}

describe('makeOutputs', () => {
  test('tells of an accepted upload', () => {
    expect(make({})).toEqual(ACCEPTED);
  });

  test.each<[ResultName, string]>([
    ['accepted', 'true'],
    ['rejected', 'false'],
    ['not-sent', 'false'],
    ['unconfirmed', 'false'],
    ['dry-run', 'false'],
    ['skipped', 'false'],
  ])('of the result %s says that uploaded is %s', (result, uploaded) => {
    expect(make({ result })).toMatchObject({ uploaded, result });
  });

  test.each(['tool', 'specVersion'] as const)('breaks commands in the %s of a file', (name) => {
    for (const [text, shown] of [
      ['a ##[error]b', 'a ## [error]b'],
      ['::error::a', ': :error::a'],
    ]) {
      const manifest: unknown = JSON.parse(
        make({ manifest: [{ ...ENTRY, [name]: text }] }).manifest ?? '',
      );
      expect(manifest).toMatchObject([{ [name]: shown }]);
    }
  });

  test('is empty where there is nothing to say', () => {
    const step = { operation: undefined, statusCode: undefined, attempts: 0, manifest: [] };
    expect(make({ result: 'not-sent', ...step })).toEqual({
      uploaded: 'false',
      result: 'not-sent',
      operation: '',
      'status-code': '',
      attempts: '0',
      manifest: '[]',
      'problem-details': '',
      error: '',
      results: `[{"name":null,"scan-key":"${SCAN_KEY}","uploaded":false,"result":"not-sent","operation":null,"status-code":null,"attempts":0,"manifest":[],"problem-details":null,"error":""}]`,
    });
  });

  test('lists several files, without a digest where none was taken', () => {
    const { sha256: _, ...unread } = { ...ENTRY, part: 'DependenciesCDX' as const };
    const { manifest = '' } = make({ manifest: [unread, ENTRY] });
    expect(JSON.parse(manifest)).toEqual([unread, ENTRY]);
  });

  test('passes on the whole problem, extension members included', () => {
    const text = '{"title":"t","status":400,"errors":{"":["x"]},"extra":{"a":[1,null]}}';
    expect(makeProblemOutput(text)).toBe(text);
    expect(makeProblemOutput('{}')).toBe('{}');
  });

  test('says the error in one line', () => {
    const failure = { ...FAILURE, headline: ' one\n\ttwo\n\nthree ' };
    expect(make({ result: 'rejected', failure })).toMatchObject({ error: 'one two three' });
  });

  test.each([
    ['::error::x', ': :error::x'],
    ['a\n##[error]x', 'a ## [error]x'],
    ['\n  ::error::x', ': :error::x'],
  ])('leaves no command in the error that it makes one line of: %j', (headline, error) => {
    expect(make({ failure: { ...FAILURE, headline } })).toMatchObject({ error });
  });

  test('cuts a long error', () => {
    const headline = 'x'.repeat(MAX_SHOWN_CHARACTERS + 1);
    const { error = '' } = make({ failure: { ...FAILURE, headline } });
    expect(error).toHaveLength(MAX_SHOWN_CHARACTERS);
  });

  test.each(['\u2028', '\u2029', '\u0085', '\u007f', '\u202e', '\u001b[0m', '\r\n', '\u0000'])(
    'is JSON whatever character the service writes: %j',
    (character) => {
      const output = makeProblemOutput(JSON.stringify({ detail: `a${character}b` }));
      expect(JSON.parse(output)).toHaveProperty('detail', expect.stringMatching(/^a[^]*b$/));
    },
  );

  test('is JSON whatever character a folder’s name has', () => {
    const { manifest = '' } = make({ manifest: [{ ...ENTRY, path: 'a\u2028b/scan.json' }] });
    expect(JSON.parse(manifest)).toHaveLength(1);
  });
});

describe('setOutputs', () => {
  test('writes every output where later steps find it', async () => {
    const file = join(await makeFolder(), 'output');
    await writeFile(file, '');
    setEnvironment({ GITHUB_OUTPUT: file });
    const output = captureOutput();
    const failure = { ...FAILURE, headline: 'no\nkey' };
    setOutputs(makeStep({ result: 'rejected', statusCode: 400, failure }));
    expect(parseOutputs(await readFile(file, 'utf8'))).toEqual({
      ...ACCEPTED,
      uploaded: 'false',
      result: 'rejected',
      'status-code': '400',
      error: 'no key',
      results: expect.stringMatching(/"result":"rejected".*"error":"no key"/),
    });
    expect(output.text).toBe('');
  });
});
