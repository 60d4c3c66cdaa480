import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { explainCause } from '../../src/report/explain-upload.ts';
import { cleanVerdict } from '../../src/service/clean-verdict.ts';
import type { Json } from '../../src/service/problem.ts';
import type { ServiceResponse } from '../../src/service/response.ts';
import { describeFailedAttempt, getResponse, judgeExchange } from '../../src/service/verdict.ts';
import type { Verdict } from '../../src/service/verdict.ts';
import { makeError } from '../support/bodies.ts';
import { listForms } from '../support/encodings.ts';
import { FACTS } from '../support/report.ts';
import { anyText, around, secret, secretForm } from './arbitraries.ts';
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
/** Those that messages show; no other is looked at. */
const HEADERS = ['server', 'via', 'www-authenticate', 'x-request-id', 'retry-after', 'x-other'];
const RETRY_AFTER = fc.option(
  fc.oneof(fc.nat({ max: 9999 }).map(String), fc.constant('Wed, 01 Jan 2025 00:01:00 GMT')),
  { nil: undefined },
);

/** A text in which a form of the secret may stand. */
function maybeTold(known: string): Arbitrary<string> {
  return fc.oneof(
    anyText(10),
    secretForm(known).chain((form) => around(form, anyText(10))),
    fc.constant(known),
  );
}

/** A value with the secret in any of its names, texts and numbers. */
function anyJson(known: string): Arbitrary<Json> {
  const text = maybeTold(known);
  const { value } = fc.letrec<{ value: Json; list: Json; object: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 3 }),
    object: anyMembers(text, tie('value')),
  }));
  return value;
}

function anyMembers(name: Arbitrary<string>, value: Arbitrary<Json>): Arbitrary<Json> {
  return fc
    .array(fc.tuple(name, value), { maxLength: 3 })
    .map((entries): Json => Object.fromEntries(entries));
}

/** A problem with the secret in any of its members, as a service writes it. */
function anyProblem(known: string): Arbitrary<string> {
  const member = fc.constantFrom('type', 'title', 'status', 'detail', 'instance', 'traceId');
  const errors = anyMembers(maybeTold(known), fc.array(maybeTold(known), { maxLength: 2 }));
  return fc
    .record({
      texts: fc.dictionary(member, maybeTold(known)),
      status: fc.option(STATUS, { nil: undefined }),
      errors: fc.option(errors, { nil: undefined }),
      others: anyMembers(maybeTold(known), anyJson(known)),
    })
    .map(({ texts, status, errors: told, others }) =>
      JSON.stringify({
        ...texts,
        ...(status !== undefined && { status }),
        ...(told !== undefined && { errors: told }),
        others,
      }),
    );
}

function anyResponse(known: string): Arbitrary<ServiceResponse> {
  return fc.record({
    status: STATUS,
    headers: fc
      .tuple(
        fc.dictionary(fc.constantFrom(...HEADERS), maybeTold(known)),
        CONTENT_TYPE,
        RETRY_AFTER,
        fc.array(maybeTold(known), { maxLength: 2 }),
      )
      .map(([texts, type, retryAfter, cookies]) => ({
        ...texts,
        'content-type': type,
        'set-cookie': cookies,
        ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
      })),
    text: fc.oneof(anyProblem(known), maybeTold(known)),
    complete: fc.boolean(),
  });
}

/** A secret, and how an attempt ended that may have repeated it anywhere. */
const ATTEMPT = secret(6).chain((known) =>
  fc.record({
    known: fc.constant(known),
    verdict: fc.oneof(
      fc
        .tuple(anyResponse(known), fc.boolean(), maybeTold(known))
        .map(([response, isSent, message]) =>
          judgeExchange(
            { outcome: { kind: 'response', response, error: new Error(message) }, isSent },
            QUIET,
          ),
        ),
      fc
        .tuple(fc.constantFrom('ECONNRESET', 'ENOTFOUND', undefined), maybeTold(known))
        .map(([code, message]) => {
          const error = makeError(code, message);
          return judgeExchange(
            { outcome: { kind: 'failure', phase: 'connect', error }, isSent: false },
            QUIET,
          );
        }),
    ),
  }),
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
    response?.text,
    Object.values(response?.headers ?? {}),
    cause.kind === 'refused' ? { ...cause.problem, status: undefined } : undefined,
    'error' in cause ? cause.error : undefined,
    'diagnosis' in cause ? cause.diagnosis.text : undefined,
  ];
  return foreign.flatMap(listTexts);
}

function findForms(known: string, texts: readonly string[]): readonly string[] {
  return listForms(known).filter((form) => texts.some((text) => text.includes(form)));
}

describe('cleanVerdict', () => {
  test('leaves no form of a secret in any name or text from outside', () => {
    fc.assert(
      fc.property(ATTEMPT, ({ known, verdict }) => {
        const cleaned = cleanVerdict(verdict, makeLog(known).clean);
        expect(findForms(known, listForeign(cleaned))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  test('changes no decision, whatever becomes of the texts', () => {
    const cleaner = fc.constantFrom(
      () => '***',
      () => '',
      (text: string) => `${text}\n`,
    );
    fc.assert(
      fc.property(ATTEMPT, cleaner, ({ verdict }, clean) => {
        const cleaned = cleanVerdict(verdict, clean);
        const { cause, ...decisions } = verdict;
        expect(cleaned).toMatchObject(decisions);
        expect(cleaned.cause.kind).toBe(cause.kind);
        expect(getResponse(cleaned.cause)?.status).toBe(getResponse(cause)?.status);
        expect(getResponse(cleaned.cause)?.complete).toBe(getResponse(cause)?.complete);
        expect(describeFailedAttempt(cleaned, NOW)).toEqual(describeFailedAttempt(verdict, NOW));
        const problems = [cleaned.cause, cause].map((each) =>
          each.kind === 'refused' ? [each.problem === undefined, each.problem?.status] : [],
        );
        expect(problems[0]).toEqual(problems[1]);
      }),
      { numRuns: 500 },
    );
  });

  test('leaves no secret for the sentences to put together', () => {
    fc.assert(
      fc.property(ATTEMPT, ({ known, verdict }) => {
        const { cause } = cleanVerdict(verdict, makeLog(known).clean);
        const { headline, details } = explainCause(cause, FACTS);
        expect([headline, ...details].join('\n')).not.toContain(known);
      }),
      { numRuns: 400 },
    );
  });
});
