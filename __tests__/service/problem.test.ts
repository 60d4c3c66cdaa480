import { describe, expect, test } from '@jest/globals';
import { parseProblem } from '../../src/service/problem.ts';
import type { ProblemDetails } from '../../src/service/problem.ts';

const NOTHING = {
  type: undefined,
  title: undefined,
  detail: undefined,
  errors: [],
  traceId: undefined,
} as const;

const FULL = {
  type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
  title: 'One or more validation errors occurred.',
  status: 400,
  detail: 'The scan key is not known.',
  instance: '/v1/scanner/upload-file',
  traceId: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00',
} as const;

/** The members that messages need. */
function pick({ status: _status, instance: _instance, ...read }: Record<string, unknown>): object {
  return read;
}

function parse(body: unknown): ProblemDetails | undefined {
  return parseProblem('application/json', JSON.stringify(body));
}

/** `depth` nested objects. */
function nest(depth: number): string {
  return `{"title":`.repeat(depth) + '1' + '}'.repeat(depth);
}

function nestLists(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

function measureDepth(value: unknown): number {
  let depth = 0;
  let inner = value;
  while (typeof inner === 'object' && inner !== null) {
    depth += 1;
    inner = Object.values(inner)[0];
  }
  return depth;
}

describe('parseProblem', () => {
  test.each(['application/problem+json', 'text/plain', undefined])(
    'reads every member with any content type: %s',
    (contentType) => {
      const problem = parseProblem(contentType, JSON.stringify(FULL));
      expect(problem).toEqual({ ...pick(FULL), errors: [], members: FULL });
    },
  );

  const texts = ['type', 'title', 'detail', 'traceId'] as const;
  const noTexts = [null, 7, true, ['text'], { text: 'text' }, '', ' \t\n', '\u200b\u2060\ufeff\0'];
  test.each(texts.flatMap((name) => noTexts.map((value) => [name, value] as const)))(
    'ignores %s when it is %j',
    (name, value) => {
      const { [name]: _, ...others } = FULL;
      const members = { ...others, [name]: value };
      expect(parse(members)).toEqual({ ...NOTHING, ...pick(others), [name]: undefined, members });
    },
  );

  test.each([
    {},
    { status: 400 },
    { type: 'text' },
    { title: 'text' },
    { detail: 'text' },
    { instance: 'text' },
    { traceId: 'text' },
  ])('recognises %j as a problem', (members) => {
    expect(parse(members)).toEqual({ ...NOTHING, ...pick(members), members });
  });

  test.each([
    ['map of lists', { a: ['one', 'two'], b: ['three'] }, ['a: one', 'a: two', 'b: three']],
    ['map of strings', { a: 'one' }, ['a: one']],
    ['map with an empty key', { '': ['one'] }, [': one']],
    ['map with values of other types', { a: [1, null, 'one', {}], b: 7, c: null }, ['a: one']],
    ['list of strings', ['one', 'two'], [': one', ': two']],
    ['list of objects as in RFC 9457', [{ detail: 'one', pointer: '#/a' }], ['#/a: one']],
    ['list of objects with name and message', [{ name: 'a', message: 'one' }], ['a: one']],
    ['list of objects without a name', [{ message: 'one' }], [': one']],
    ['map of blank messages', { a: ['', ' \n'], b: '' }, []],
    ['list of blank messages', ['', ' '], []],
    ['list without messages', [null, 7, {}, { name: 'age' }, ['text']], []],
    ['string', 'text', []],
    ['null', null, []],
  ])('reads errors given as a %s', (_, errors, expected) => {
    const problem = parse({ errors });
    expect(problem?.errors.map(({ field, message }) => `${field}: ${message}`)).toEqual(expected);
    expect(problem?.members).toEqual({ errors });
  });

  test('keeps extension members unchanged', () => {
    const members = { title: 't', balance: 30, accounts: ['/1', { id: 2 }], ok: false, no: null };
    expect(parse(members)?.members).toEqual(members);
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
    expect(parseProblem('application/json', text)).toBeUndefined();
    expect(parseProblem(undefined, text)).toBeUndefined();
  });

  test.each(['', '[]', '{"title":'])(
    'finds no problem in %j, even with the content type of a problem',
    (text) => {
      expect(parseProblem('application/problem+json', text)).toBeUndefined();
    },
  );

  test.each([
    ['application/problem+json', true],
    [' Application/Problem+JSON; charset=utf-8', true],
    ['application/json', false],
    ['application/problem+jsonx', false],
    ['text/plain; was=application/problem+json', false],
  ])('recognises any object as a problem under %s: %s', (contentType, expected) => {
    const problem = parseProblem(contentType, '{"message":"text"}');
    expect(problem).toEqual(expected ? { ...NOTHING, members: { message: 'text' } } : undefined);
  });

  test.each(['\ufeff{"title":"t"}', '\r\n {"title":"t"} \n', '\ufeff \n{"title":"t"}\ufeff'])(
    'skips a byte order mark and white space: %j',
    (text) => {
      expect(parseProblem('text/plain', text)?.title).toBe('t');
    },
  );

  test.each([
    [1, 1],
    [32, 32],
    [33, 32],
    [5000, 32],
  ])('limits %i nested objects to %i', (depth, kept) => {
    expect(measureDepth(parseProblem('application/json', nest(depth))?.members)).toBe(kept);
  });

  test('leaves out only values that are nested too deep', () => {
    const text = `{"title":"t","deep":${nest(40)},"list":[1,${nestLists(40)},2]}`;
    const deep = `${'{"title":'.repeat(30)}{}${'}'.repeat(30)}`;
    const kept = `{"title":"t","deep":${deep},"list":[1,${nestLists(30)},2]}`;
    const members = parseProblem('application/json', text)?.members;
    expect(members).toStrictEqual(JSON.parse(kept));
  });

  test('reads __proto__ and constructor as normal members', () => {
    const text =
      '{"title":"t","__proto__":{"detail":"inherited","polluted":1},"constructor":{"prototype":{"polluted":1}},"inner":{"__proto__":null}}';
    const problem = parseProblem('application/json', text);
    expect(problem?.detail).toBeUndefined();
    expect(JSON.stringify(problem?.members)).toBe(text);
    expect(Object.getPrototypeOf(problem?.members)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  test('ignores inherited members', () => {
    Reflect.defineProperty(Object.prototype, 'detail', { value: 'inherited', configurable: true });
    try {
      expect(parse({ title: 't' })?.detail).toBeUndefined();
    } finally {
      Reflect.deleteProperty(Object.prototype, 'detail');
    }
  });

  test('reads a __proto__ field of the errors', () => {
    const text = '{"errors":{"__proto__":["is refused"]}}';
    expect(parseProblem('application/json', text)?.errors).toEqual([
      { field: '__proto__', message: 'is refused' },
    ]);
  });

  test.each([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740993', '9007199254740993'],
    ['1e400', '1e400'],
    ['-0', -0],
    ['1.5', 1.5],
    ['1.50e2', 150],
  ])('keeps the digits of the number %s', (source, expected) => {
    const text = `{"title":"t","a":${source},"b":[{"c":${source}}],"d":"${source}"}`;
    const members = { title: 't', a: expected, b: [{ c: expected }], d: source };
    expect(parseProblem('text/json', text)?.members).toEqual(members);
  });
});
