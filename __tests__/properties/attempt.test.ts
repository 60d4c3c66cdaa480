import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { explainUpload } from '../../src/report/failure.ts';
import { hide } from '../../src/redaction/clean.ts';
import { findSituation, followAttempt } from '../../src/service/judge.ts';
import { readResponse } from '../../src/service/response.ts';
import type { RawResponse } from '../../src/service/response.ts';
import { SETTINGS, listMembers, makeAttempt, makeUpload } from '../support/attempts.ts';
import { anyText, around, secret, secretForm, wholeText } from './arbitraries.ts';
import { listForms } from './encodings.ts';
import { anyJson, anyMembers } from './json-arbitraries.ts';

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
    secretForm(known).chain((form) => around(form, wholeText(10))),
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

/** A response that may have the secret in any text, as it is received. */
function anyResponse(known: string): Arbitrary<RawResponse> {
  const text = maybeRepeated(known);
  return fc
    .record({
      status: STATUS,
      shown: fc.dictionary(SHOWN_HEADER, text),
      type: CONTENT_TYPE,
      retryAfter: fc.oneof(RETRY_AFTER, text),
      text: fc.oneof(anyProblem(text), text),
      complete: fc.boolean(),
    })
    .map(({ shown, type, retryAfter, ...rest }) => ({
      ...rest,
      headers: { ...shown, 'content-type': type, 'retry-after': retryAfter },
      url: new URL(SETTINGS.address),
    }));
}

const RESPONSE = secret(6).chain((known) =>
  fc.record({ known: fc.constant(known), received: anyResponse(known), isSent: fc.boolean() }),
);

/** All names, texts and numbers in a value. */
function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...listTexts(member)]);
}

describe('readResponse', () => {
  test('leaves no form of a secret in any text, or in the messages that contain it', () => {
    fc.assert(
      fc.property(RESPONSE, ({ known, received, isSent }) => {
        hide(known);
        const { problem, ...others } = readResponse(received);
        const members = problem === undefined ? {} : listMembers(problem);
        const texts = [
          { ...members, status: undefined },
          { ...others, status: 0 },
        ].flatMap(listTexts);
        const found = listForms(known).filter((form) => texts.some((text) => text.includes(form)));
        expect(found).toEqual([]);
        const last = { ...makeAttempt({ isSent }), response: readResponse(received) };
        const situation = findSituation(last, SETTINGS);
        const { result } = followAttempt(situation, last);
        const failure = explainUpload(makeUpload(last, { situation, result }));
        expect(JSON.stringify(failure ?? '')).not.toContain(known);
      }),
      { numRuns: 200 },
    );
  });
});
