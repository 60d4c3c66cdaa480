import { describe, expect, test } from '@jest/globals';
import { hide } from '../../src/redaction/clean.ts';
import { listMembers, makeResponse, readProblem } from '../support/attempts.ts';

const FULL = {
  type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
  title: 'One or more validation errors occurred.',
  status: 400,
  detail: 'The scan key is not known.',
  instance: '/v1/scanner/upload-file',
  traceId: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00',
} as const;
const PROBLEM_TYPE = 'application/problem+json';

/** What is read of a problem: its trace id and members. */
function read(text: string, contentType?: string): object | undefined {
  const problem = readProblem(contentType, text);
  return problem && { traceId: problem.traceId, members: listMembers(problem) };
}

/** A JSON text within this number of objects with a list each. */
function nest(depth: number, core: string): string {
  return `${'{"a":['.repeat(depth)}${core}${']}'.repeat(depth)}`;
}

describe('the problem of a response', () => {
  test.each([PROBLEM_TYPE, 'text/plain', undefined])('has every member as %s', (type) => {
    const text = `\ufeff \n${JSON.stringify(FULL)}\ufeff`;
    expect(read(text, type)).toEqual({ traceId: FULL.traceId, members: FULL });
  });

  test.each([null, 7, ['text'], { text: 'text' }, ' \t\n', '\u200b\u2060\ufeff\0'])(
    'ignores a traceId that is %j',
    (traceId) => {
      expect(read(JSON.stringify({ ...FULL, traceId }))).toMatchObject({ traceId: undefined });
    },
  );

  test.each([
    {},
    { status: 400 },
    { type: 'text' },
    { errors: { a: null } },
    { title: null, message: 'text' },
    { detail: 'text', error: 'text', statusCode: 400 },
    { instance: 't', balance: 30, accounts: ['/1', { id: 2 }], ok: false, no: null },
  ])('recognises %j', (members) => {
    expect(read(JSON.stringify(members))).toEqual({ traceId: undefined, members });
  });

  test.each([
    { status: 500, error: 'Internal Server Error', path: '/v1' },
    { status: 400, message: 'text', errors: [] },
    { statusCode: 400, traceId: 'text' },
    { message: 'text', Title: 'text' },
  ])('recognises %j only with the media type of a problem', (members) => {
    const text = JSON.stringify(members);
    const others = ['application/problem+jsonx', 'text/plain; was=application/problem+json'];
    for (const type of others) expect(read(text, type)).toBeUndefined();
    expect(read(text, ' Application/Problem+JSON; charset=utf-8')).toMatchObject({ members });
  });

  test.each(['', '[{"title":"t"}]', '{"title":"t","detail":"cu', '{"title":"t"} more', '"title"'])(
    'does not exist in %j',
    (text) => {
      expect(read(text)).toBeUndefined();
      expect(read(text, PROBLEM_TYPE)).toBeUndefined();
    },
  );

  test('does not exist in a list of problems', () => {
    const body = '[{"status":500,"name":"a"}]';
    expect(makeResponse({ body })).toMatchObject({ kind: 'refusal', problem: undefined });
  });

  test('has its members in order, by any name, with null below 32 levels', () => {
    const members = '"__proto__":{"constructor":1},"toString":[2.5,-0.1,true]';
    const json = `{"title":"t",${members},"deep":${nest(15, '[1]')}}`;
    expect(readProblem(PROBLEM_TYPE, json)?.json).toBe(json);
    const deeper = json.replace('[1]', '[[1]]');
    expect(readProblem(PROBLEM_TYPE, deeper)?.json).toBe(json.replace('[1]', '[null]'));
  });

  test.each(['[', '{"a":'])('is read beside 30,000 characters of %s', (open) => {
    const depth = 30_000 / open.length;
    const deep = `${open.repeat(depth)}1${(open === '[' ? ']' : '}').repeat(depth)}`;
    expect(readProblem(PROBLEM_TYPE, `{"deep":${deep},"traceId":"why"}`)?.traceId).toBe('why');
  });

  test.each([`${2n ** 53n}`, `-${10n ** 60n}`, '-7e310', '7e9999'])(
    'has the number %s as a text with all digits',
    (number) => {
      const members = { title: number, a: { b: [number] }, status: number };
      expect(read(`{"title":${number},"a":{"b":[${number}]},"status":${number}}`)).toMatchObject({
        members,
      });
    },
  );

  test('has no secret in a number, and no other number as a text', () => {
    hide('1234');
    const members = { title: 't', pin: '***', list: ['7***', 5] };
    expect(read('{"title":"t","pin":1234,"list":[71234,5]}')).toMatchObject({ members });
  });
});
