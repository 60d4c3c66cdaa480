import { describe, expect, test } from '@jest/globals';
import { CancelledError, FileError, TimeLimitError } from '../../src/errors.ts';
import { OidcError } from '../../src/service/auth.ts';
import { Redactor } from '../../src/report/redactor.ts';
import { cleanProblem, cleanVerdict, resolveRedirect } from '../../src/service/clean-verdict.ts';
import { parseProblem } from '../../src/service/problem.ts';
import type { ServiceResponse } from '../../src/service/response.ts';
import type { Cause, Verdict } from '../../src/service/verdict.ts';
import { makeResponse } from '../support/bodies.ts';

const SECRET = 's3cret';

function clean(text: string): string {
  return text.replaceAll(SECRET, '***');
}

function makeVerdict(cause: Cause): Verdict {
  return { result: 'rejected', cause, retry: 'always', retryAfter: `soon ${SECRET}` };
}

/** A response that repeats the secret wherever it can. */
const RESPONSE: ServiceResponse = makeResponse({
  status: 400,
  headers: { server: `a ${SECRET}`, 'set-cookie': [SECRET, `b ${SECRET}`], date: 'today' },
  text: `{"detail":"${SECRET}"}`,
});
const CLEAN_RESPONSE = makeResponse({
  status: 400,
  headers: { server: 'a ***', 'set-cookie': ['***', 'b ***'], date: 'today' },
  text: '{"detail":"***"}',
});

describe('cleanVerdict', () => {
  test.each(['accepted', 'redirect', 'web-page', 'early-success', 'unreadable-response'] as const)(
    'removes secrets from the text and the headers of a response (%s)',
    (kind) => {
      const { cause } = cleanVerdict(makeVerdict({ kind, response: RESPONSE }), clean);
      expect(cause).toEqual({ kind, response: CLEAN_RESPONSE });
    },
  );

  test('removes them from a problem, which was read from the raw text', () => {
    const names = ['type', 'title', 'detail', 'instance', 'traceId'];
    const write = (text: string): Record<string, unknown> => ({
      ...Object.fromEntries(names.map((name) => [name, `a ${text}`])),
      errors: { [text]: [text] },
    });
    const problem = parseProblem('text/plain', JSON.stringify(write(SECRET)));
    const cause = { kind: 'refused', response: RESPONSE, problem } as const;
    expect(cleanVerdict(makeVerdict(cause), clean).cause).toMatchObject({
      response: CLEAN_RESPONSE,
      problem: parseProblem('text/plain', JSON.stringify(write('***'))),
    });
    const bare = { kind: 'refused', response: RESPONSE, problem: undefined } as const;
    expect(cleanVerdict(makeVerdict(bare), clean).cause).toHaveProperty('problem', undefined);
  });

  test('removes them from the error of a truncated response', () => {
    const error = new Error(`aborted ${SECRET}`);
    const cause = { kind: 'truncated-response', response: RESPONSE, error } as const;
    expect(cleanVerdict(makeVerdict(cause), clean).cause).toEqual({
      kind: 'truncated-response',
      response: CLEAN_RESPONSE,
      error: new Error('aborted ***'),
    });
    const bare = { kind: 'truncated-response', response: RESPONSE, error: undefined } as const;
    expect(cleanVerdict(makeVerdict(bare), clean).cause).toHaveProperty('error', undefined);
  });

  test('removes them from the message of a failed connection', () => {
    const diagnosis = { fault: 'name', text: `ENOTFOUND ${SECRET}.example` } as const;
    const cause = { kind: 'connection', phase: 'connect', diagnosis } as const;
    expect(cleanVerdict(makeVerdict(cause), clean).cause).toEqual({
      ...cause,
      diagnosis: { fault: 'name', text: 'ENOTFOUND ***.example' },
    });
  });

  test.each([true, false])(
    'removes them from the error of a missing OIDC token (permission missing: %s)',
    (isPermission) => {
      const cause = { kind: 'oidc', error: new OidcError(`no ${SECRET}`, isPermission) } as const;
      const error = new OidcError('no ***', isPermission);
      expect(cleanVerdict(makeVerdict(cause), clean).cause).toEqual({ kind: 'oidc', error });
    },
  );

  test('removes them from an unexpected error, and keeps the action’s own errors', () => {
    const reasons = [new Error(SECRET), new CancelledError('SIGINT'), new TimeLimitError(9)];
    const cleaned = reasons.map((reason) => {
      const cause = { kind: 'aborted', phase: 'send', reason } as const;
      return cleanVerdict(makeVerdict(cause), clean).cause;
    });
    expect(cleaned).toEqual([
      { kind: 'aborted', phase: 'send', reason: new Error('***') },
      { kind: 'aborted', phase: 'send', reason: reasons[1] },
      { kind: 'aborted', phase: 'send', reason: reasons[2] },
    ]);
    expect(cleaned[1]).toHaveProperty('reason', reasons[1]);
  });

  test.each<Cause>([
    { kind: 'stalled', phase: 'head', limitMs: 1 },
    { kind: 'file', error: new FileError("'***.json' became shorter.") },
  ])('does not change a cause without text from outside: $kind', (cause) => {
    expect(cleanVerdict(makeVerdict(cause), clean).cause).toBe(cause);
  });

  test('does not change decisions and the facts they depend on', () => {
    const { cause: _, ...decisions } = makeVerdict({ kind: 'redirect', response: RESPONSE });
    const verdict = cleanVerdict(makeVerdict({ kind: 'redirect', response: RESPONSE }), clean);
    expect(verdict).toMatchObject(decisions);
  });
});

function cleanAll(text: string): string {
  return clean(text).replaceAll('8675309', '***');
}

describe('cleanProblem', () => {
  test.each([
    ['{"id":-8675309.5,"b":1.5}', '{"id":"-***.5","b":1.5}'],
    ['{"a":["s3cret",["s3cret"],true,null]}', '{"a":["***",["***"],true,null]}'],
    ['{"__proto__":{"a":"s3cret"}}', '{"__proto__":{"a":"***"}}'],
  ])('removes secrets from members of any type: %s', (text, cleaned) => {
    const problem = parseProblem('application/problem+json', text);
    const members = problem && cleanProblem(problem, cleanAll).members;
    expect(JSON.stringify(members)).toBe(cleaned);
    expect(Object.getPrototypeOf(members)).toBe(Object.prototype);
  });
});

describe('resolveRedirect', () => {
  const url = new URL('https://service.example/v1/scanner/upload-file');

  const redactor = new Redactor();
  for (const secret of ['tok-s3cret', 'Tok-Upper', 'A/B"c']) redactor.learn(secret);
  const redact = (text: string): string => redactor.redact(text);

  test.each([
    ['https://%74ok-s3\tcret.example/a', 'https://***.example/a'],
    ['https://TOK-S3CRET.example/', 'https://***.example/'],
    ['https://Tok-Upper.example/', 'https://***.example/'],
    ['https://user:tok-\ts3cret@host.example/', 'https://user:***@host.example/'],
    ['https://user:A%2FB%22c@host.example/', 'https://user:***@host.example/'],
    ['/tok-s3\tcret/v1', 'https://service.example/***/v1'],
    ['/A/./B"c', 'https://service.example/***'],
    ['/A/x/../B%22c', 'https://service.example/***'],
    ['tok-s3cret', 'https://service.example/v1/scanner/***'],
    ['http://', undefined],
  ])('returns the target as an absolute URL without secrets: %j', (location, target) => {
    const response = makeResponse({ status: 302, headers: { location } });
    const verdict = makeVerdict({ kind: 'redirect', response });
    const { cause } = resolveRedirect(cleanVerdict(verdict, redact), url, redact);
    expect(cause).toMatchObject({ response: { headers: { location: target } } });
  });

  test.each([
    ['redirect', {}],
    ['web-page', { location: '/a' }],
  ] as const)('changes nothing else (%s, %j)', (kind, headers) => {
    const verdict = makeVerdict({ kind, response: makeResponse({ status: 302, headers }) });
    expect(resolveRedirect(verdict, url, redact)).toEqual(verdict);
  });
});
