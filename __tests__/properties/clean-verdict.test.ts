import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { explainCause } from '../../src/report/explain-upload.ts';
import { cleanVerdict } from '../../src/service/clean-verdict.ts';
import type { ServiceResponse } from '../../src/service/response.ts';
import { describeFailedAttempt, getResponse, judgeExchange } from '../../src/service/verdict.ts';
import type { Verdict } from '../../src/service/verdict.ts';
import { FACTS } from '../support/report.ts';
import { makeError, makeResponse } from '../support/bodies.ts';
import { anyText, around, secret, secretForm } from './arbitraries.ts';
import { listForms } from './encodings.ts';
import { anyJson, anyMembers } from './json-arbitraries.ts';
import { makeLog } from './written.ts';

const NOW = Date.UTC(2025, 0, 1);
const QUIET = new AbortController().signal;
const STATUS = fc.oneof(
  fc.constantFrom(200, 201, 301, 307, 400, 401, 403, 404, 409, 413, 417, 429, 500, 502, 503, 504),
  fc.integer({ min: 200, max: 599 }),
);
const CONTENT_TYPE = fc.constantFrom(
  'application/problem+json',
  'application/json',
  'text/plain',
  'text/html',
);
const RETRY_AFTER = fc.oneof(
  fc.nat({ max: 9999 }).map(String),
  fc.constant('Wed, 01 Jan 2025 00:01:00 GMT'),
);
/** The headers that messages show, and another header. */
const SHOWN_HEADER = fc.constantFrom('server', 'via', 'www-authenticate', 'location', 'x-a');
const PROBLEM_MEMBER = fc.constantFrom('type', 'title', 'detail', 'instance', 'traceId');

/** A text that may contain a form of the secret. */
function maybeRepeated(known: string): Arbitrary<string> {
  return fc.oneof(
    anyText(10),
    secretForm(known).chain((form) => around(form, anyText(10))),
    fc.constant(known),
  );
}

/** A problem with the secret in any member, as a service writes it. */
function anyProblem(text: Arbitrary<string>): Arbitrary<string> {
  const leaf = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
  return fc
    .record({
      texts: fc.dictionary(PROBLEM_MEMBER, text),
      status: STATUS,
      errors: anyMembers(text, fc.array(text, { maxLength: 2 })),
      others: anyMembers(text, anyJson(text, leaf)),
    })
    .map(({ texts, ...members }) => JSON.stringify({ ...texts, ...members }));
}

function anyResponse(text: Arbitrary<string>): Arbitrary<ServiceResponse> {
  return fc
    .record({
      status: STATUS,
      shown: fc.dictionary(SHOWN_HEADER, text),
      type: CONTENT_TYPE,
      retryAfter: fc.oneof(RETRY_AFTER, text),
      cookies: fc.array(text, { maxLength: 2 }),
      text: fc.oneof(anyProblem(text), text),
      complete: fc.boolean(),
    })
    .map(({ shown, type, retryAfter, cookies, ...response }) =>
      makeResponse({
        ...response,
        headers: {
          ...shown,
          'content-type': type,
          'retry-after': retryAfter,
          'set-cookie': cookies,
        },
      }),
    );
}

/** The verdict on an attempt that may contain the secret anywhere. */
function anyVerdict(known: string): Arbitrary<Verdict> {
  const text = maybeRepeated(known);
  const code = fc.constantFrom('ECONNRESET', 'ENOTFOUND', undefined);
  return fc.oneof(
    fc.tuple(anyResponse(text), fc.boolean(), text).map(([response, isSent, message]) => {
      const outcome = { kind: 'response', response, error: new Error(message) } as const;
      return judgeExchange({ outcome, isSent }, QUIET);
    }),
    fc.tuple(code, text).map(([errno, message]) => {
      const error = makeError(errno, message);
      const outcome = { kind: 'failure', phase: 'connect', error } as const;
      return judgeExchange({ outcome, isSent: false }, QUIET);
    }),
  );
}

const ATTEMPT = secret(6).chain((known) =>
  fc.record({ known: fc.constant(known), verdict: anyVerdict(known) }),
);

/** All names, texts and numbers in a value. */
function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (value instanceof Error) return [value.message];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...listTexts(member)]);
}

/** The texts from outside that a verdict holds. */
function listForeign({ cause }: Verdict): readonly string[] {
  const response = getResponse(cause);
  const foreign = [
    // A JSON text has the forms encoded twice.
    response?.text.startsWith('{') === true ? undefined : response?.text,
    Object.values(response?.headers ?? {}),
    cause.kind === 'refused' ? { ...cause.problem, status: undefined } : undefined,
    'error' in cause ? cause.error : undefined,
    'diagnosis' in cause ? cause.diagnosis.text : undefined,
  ];
  return foreign.flatMap(listTexts);
}

describe('cleanVerdict', () => {
  test('leaves no form of a secret in any text from outside, or in the messages that contain it', () => {
    fc.assert(
      fc.property(ATTEMPT, ({ known, verdict }) => {
        const cleaned = cleanVerdict(verdict, makeLog(known).clean);
        const texts = listForeign(cleaned);
        const found = listForms(known).filter((form) => texts.some((text) => text.includes(form)));
        expect(found).toEqual([]);
        const { headline, details } = explainCause(cleaned.cause, FACTS);
        expect([headline, ...details].join('\n')).not.toContain(known);
      }),
      { numRuns: 500 },
    );
  });

  test('changes no decision', () => {
    const cleaner = fc.constantFrom(
      () => '***',
      () => '',
      (text: string) => `${text}\n`,
    );
    fc.assert(
      fc.property(ATTEMPT, cleaner, ({ verdict }, clean) => {
        const cleaned = cleanVerdict(verdict, clean);
        expect({ ...cleaned, cause: verdict.cause }).toEqual(verdict);
        expect(describeFailedAttempt(cleaned, NOW)).toEqual(describeFailedAttempt(verdict, NOW));
        const [before, after] = [verdict.cause, cleaned.cause].map((cause) => [
          cause.kind,
          getResponse(cause)?.status,
          getResponse(cause)?.complete,
          cause.kind === 'refused' && (cause.problem?.status ?? cause.problem === undefined),
        ]);
        expect(after).toEqual(before);
      }),
      { numRuns: 500 },
    );
  });
});
