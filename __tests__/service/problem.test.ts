import { describe, expect, test } from '@jest/globals';
import { hide } from '../../src/redaction/clean.ts';
import { listMembers, readProblem } from '../support/attempts.ts';

const FULL = {
  type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
  title: 'One or more validation errors occurred.',
  status: 400,
  detail: 'The scan key is not known.',
  instance: '/v1/scanner/upload-file',
  traceId: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00',
} as const;

/** What is read of a problem: its trace id and members. */
function read(contentType: string | undefined, text: string): object | undefined {
  const problem = readProblem(contentType, text);
  return problem && { traceId: problem.traceId, members: listMembers(problem) };
}

function parse(body: unknown): object | undefined {
  return read('application/json', JSON.stringify(body));
}

// The depth of members, `__proto__` and large numbers are tested in __tests__/properties/problem.test.ts.

describe('the problem of a response', () => {
  test.each(['application/problem+json', 'text/plain', undefined])(
    'reads every member with any content type: %s',
    (contentType) => {
      expect(read(contentType, JSON.stringify(FULL))).toEqual({
        traceId: FULL.traceId,
        members: FULL,
      });
    },
  );

  test.each([null, 7, true, ['text'], { text: 'text' }, '', ' \t\n', '\u200b\u2060\ufeff\0'])(
    'ignores a traceId that is %j',
    (traceId) => {
      expect(parse({ ...FULL, traceId })).toMatchObject({ traceId: undefined });
    },
  );

  test.each([
    {},
    { status: 400 },
    { type: 'text' },
    { title: 'text' },
    { detail: 'text' },
    { instance: 'text' },
    { errors: { a: null } },
    { title: null, message: 'text' },
    { detail: 'text', error: 'text', statusCode: 400 },
  ])('recognises %j as a problem', (members) => {
    expect(parse(members)).toEqual({ traceId: undefined, members });
  });

  test.each([
    { status: 500, error: 'Internal Server Error', path: '/v1' },
    { status: 400, message: 'text', errors: [] },
    { statusCode: 400, traceId: 'text' },
  ])('recognises %j only with the media type of a problem', (members) => {
    expect(parse(members)).toBeUndefined();
    expect(read('application/problem+json', JSON.stringify(members))).toMatchObject({
      members,
    });
  });

  test('keeps extension members unchanged', () => {
    const members = { title: 't', balance: 30, accounts: ['/1', { id: 2 }], ok: false, no: null };
    expect(parse(members)).toMatchObject({ members });
  });

  test('has no secret in a number, and no other number as a text', () => {
    hide('1234');
    const members = { title: 't', pin: '***', list: ['7***', 5] };
    expect(parse({ title: 't', pin: 1234, list: [71234, 5] })).toMatchObject({ members });
  });

  test.each([
    ['nothing', ''],
    ['HTML with an object in it', '<script>{"title":"t"}</script>'],
    ['a list', '[{"title":"t"}]'],
    ['a truncated object', '{"title":"t","detail":"cu'],
    ['an object and more', '{"title":"t"} trailing'],
    ['an object without a member of a problem', '{"message":"t","Title":"t"}'],
    ['an object with inherited names only', '{"constructor":1,"__proto__":{"title":"t"}}'],
  ])('finds no problem in %s', (_, text) => {
    expect(read('application/json', text)).toBeUndefined();
    expect(read(undefined, text)).toBeUndefined();
  });

  test.each(['', '[]', '{"title":'])(
    'finds no problem in %j, even with the content type of a problem',
    (text) => {
      expect(read('application/problem+json', text)).toBeUndefined();
    },
  );

  test.each([
    ['application/problem+json', true],
    [' Application/Problem+JSON; charset=utf-8', true],
    ['application/json', false],
    ['application/problem+jsonx', false],
    ['text/plain; was=application/problem+json', false],
  ])('recognises any object as a problem under %s: %s', (contentType, expected) => {
    const problem = read(contentType, '{"message":"text"}');
    expect(problem).toEqual(
      expected ? { traceId: undefined, members: { message: 'text' } } : undefined,
    );
  });

  test.each(['\ufeff{"title":"t"}', '\r\n {"title":"t"} \n', '\ufeff \n{"title":"t"}\ufeff'])(
    'skips a byte order mark and white space: %j',
    (text) => {
      expect(read('text/plain', text)).toMatchObject({ members: { title: 't' } });
    },
  );

  test('ignores inherited members', () => {
    Reflect.defineProperty(Object.prototype, 'traceId', { value: 'inherited', configurable: true });
    try {
      expect(parse({ title: 't' })).toMatchObject({ traceId: undefined });
    } finally {
      Reflect.deleteProperty(Object.prototype, 'traceId');
    }
  });
});
