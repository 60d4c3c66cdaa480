import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { MAX_SHOWN_CHARACTERS } from '../../src/report/clean.ts';
import { Log } from '../../src/report/log.ts';
import { makeOutputs, setOutputs } from '../../src/report/outputs.ts';
import type { ManifestEntry, ResultName } from '../../src/report/result.ts';
import { parseProblem } from '../../src/service/problem.ts';
import { makeFolder, setEnvironment } from '../service/fixtures.ts';
import {
  DIGEST,
  ENTRY,
  FAILURE,
  SCAN_KEY,
  captureOutput,
  makeStep,
  parseOutputs,
} from './fixtures.ts';
import type { SingleStep } from './fixtures.ts';

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

/** The outputs of a step whose log knows the secrets. */
function make(step: SingleStep, ...secrets: readonly string[]): Readonly<Record<string, string>> {
  captureOutput();
  const log = new Log();
  for (const secret of secrets) log.protect(secret);
  return makeOutputs(makeStep(step), (texts) => log.redactAll(texts));
}

function makeProblemOutput(text: string, ...secrets: readonly string[]): string {
  const problem = parseProblem('application/problem+json', text);
  return make({ result: 'rejected', problem }, ...secrets)['problem-details'] ?? '';
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
    const failure = { ...FAILURE, headline: ' one\r\n\ttwo\u001b[0m\u2028three ' };
    expect(make({ result: 'rejected', failure })).toMatchObject({ error: 'one two three' });
  });

  test.each([
    ['::error::x', ': :error::x'],
    ['a\n##[error]x', 'a ## [error]x'],
    ['two\n  words', '***'],
  ])(
    'leaves neither a command nor a secret in the error that it makes one line of: %j',
    (headline, error) => {
      expect(make({ failure: { ...FAILURE, headline } }, 'two words')).toMatchObject({ error });
    },
  );

  test('cuts a long error, after its secrets are out', () => {
    const secret = 'ABCDEFGHIJKLMNOPQRST';
    const headline = `${'x'.repeat(MAX_SHOWN_CHARACTERS - 8)}${secret}${'y'.repeat(1000)}`;
    const { error = '' } = make({ failure: { ...FAILURE, headline } }, secret);
    expect(error).not.toMatch(/[A-T]/);
    expect(error).toHaveLength(MAX_SHOWN_CHARACTERS);
  });

  test('redacts what a file says of itself, and nothing else of the manifest', () => {
    const entry: ManifestEntry = {
      ...ENTRY,
      path: 'whole/json',
      tool: 'json 1.0',
      specVersion: 'json',
      findings: 7,
    };
    const { manifest = '' } = make({ manifest: [entry] }, 'json', 'whole', '7');
    expect(JSON.parse(manifest)).toEqual([
      { ...entry, path: '***/***', tool: '*** 1.0', specVersion: '***' },
    ]);
  });

  test('redacts what came from outside', () => {
    const step: SingleStep = {
      result: 'rejected',
      manifest: [{ ...ENTRY, path: 'out/s3cret/scan.json' }],
      problem: parseProblem('text/plain', '{"detail":"no s3cret","s3cret":{"a":"s3c\\u200bret"}}'),
      failure: { ...FAILURE, headline: 'no s3cret' },
    };
    const outputs = make(step, 's3cret');
    expect(JSON.stringify(outputs)).not.toContain('s3cret');
    expect(outputs).toMatchObject({
      manifest: expect.stringContaining('"path":"out/***/scan.json"'),
      'problem-details': '{"detail":"no ***","***":{"a":"***"}}',
      error: 'no ***',
    });
  });

  test.each(['a"b\\c', 'tab\there', 'line/é'])(
    'redacts a secret that JSON escapes: %s',
    (secret) => {
      const text = JSON.stringify({ detail: `<${secret}>` });
      expect(makeProblemOutput(text, secret)).toBe('{"detail":"<***>"}');
    },
  );

  test('does not let a secret change what is the action’s own', () => {
    const own = ['true', 'accepted', 'upload-file', '200', '1'];
    const results = ACCEPTED.results.replace(MANIFEST, '[]');
    expect(make({ manifest: [] }, ...own)).toEqual({ ...ACCEPTED, manifest: '[]', results });
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

  test.each(['true', '1229', '12', 'null'])(
    'is JSON also where the secret %s occurs outside a text',
    (secret) => {
      const problem = '{"title":"t","ok":true,"id":1229,"no":null}';
      expect(JSON.parse(makeProblemOutput(problem, secret))).toHaveProperty('title', 't');
      const { manifest = '' } = make({}, secret);
      expect(JSON.parse(manifest)).toHaveLength(1);
    },
  );
});

describe('makeOutputs of a problem with secrets in it', () => {
  test.each([
    ['a text', '{"detail":"a s3cret"}', '{"detail":"a ***"}'],
    ['a name', '{"title":"t","s3cret":1}', '{"title":"t","***":1}'],
    ['a list', '{"errors":["s3cret",["s3cret"]]}', '{"errors":["***",["***"]]}'],
    ['an object', '{"errors":{"a":{"b":"s3cret"}}}', '{"errors":{"a":{"b":"***"}}}'],
    ['a number', '{"title":"t","id":-8675309.5}', '{"title":"t","id":"-***.5"}'],
    ['another value', '{"title":"t","a":true,"b":null}', '{"title":"t","a":true,"b":null}'],
    [
      '__proto__',
      '{"title":"t","__proto__":{"a":"s3cret"}}',
      '{"title":"t","__proto__":{"a":"***"}}',
    ],
  ])('redacts it in %s', (_, text, output) => {
    expect(makeProblemOutput(text, 's3cret', '8675309', 'true', 'null')).toBe(output);
  });
});

describe('makeOutputs of a problem with thousands of members', () => {
  test('redacts them at once, since there may be hundreds of secrets', () => {
    const text = JSON.stringify({
      title: 't',
      a: Array.from({ length: 9000 }, () => ({ b: 's' })),
    });
    const problem = parseProblem('application/json', text);
    let calls = 0;
    makeOutputs(makeStep({ result: 'rejected', problem }), (texts) => {
      calls += 1;
      return texts;
    });
    expect(calls).toBeLessThan(10);
  });
});

describe('setOutputs', () => {
  test('writes every output where later steps find it', async () => {
    const file = join(await makeFolder(), 'output');
    await writeFile(file, '');
    setEnvironment({ GITHUB_OUTPUT: file });
    const output = captureOutput();
    const log = new Log();
    log.protect('s3cret');
    const failure = { ...FAILURE, headline: 'no s3cret' };
    setOutputs(makeStep({ result: 'rejected', statusCode: 400, failure }), log);
    expect(parseOutputs(await readFile(file, 'utf8'))).toEqual({
      ...ACCEPTED,
      uploaded: 'false',
      result: 'rejected',
      'status-code': '400',
      error: 'no ***',
      results: expect.stringMatching(/"result":"rejected".*"error":"no \*\*\*"/),
    });
    expect(output.lines).toEqual(['::add-mask::s3cret']);
  });
});
