import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { StepError } from '../../src/errors.ts';
import type { AttemptFailure, State } from '../../src/service/attempt.ts';
import { findSituation, followAttempt } from '../../src/service/judge.ts';
import { SETTINGS, makeAttempt, makeConnectionError } from '../support/attempts.ts';
import { anyCase, anyText } from './arbitraries.ts';

/** A type with parameters, in any case. */
function withParameters(...types: readonly string[]): fc.Arbitrary<string> {
  const parameters = fc.constantFrom('', ';charset=utf-8', '; charset="utf-8"', ' ; a=b');
  const type = fc.constantFrom(...types).chain(anyCase);
  return fc.tuple(type, parameters).map((pieces) => pieces.join(''));
}

const OWN_TYPE = fc.oneof(
  fc.constant(''),
  withParameters('application/json', 'text/plain', 'text/json', 'application/xmlx', 'text/htm'),
);
const OTHER_TYPE = withParameters('text/html', 'application/xhtml+xml', 'application/problem+json');
const OWN_TEXT = fc.oneof(
  fc.constantFrom('{}\n[]', 'accepted: <html>', '< 3', '<?xml version="1.0"?><r/>'),
  // Two lines: a single one may be declared as HTML. Text with NUL cannot be read.
  anyText().map((text) => `"${text.replaceAll('\0', '')}\n"`),
);
const PAGE_START = fc.constantFrom(
  '<!doctype html>',
  '<html lang="en">',
  '<head>',
  '<body class="a">',
  '<!-- a --> <!-- <b> -->\n<!DOCTYPE html>',
);
const PAGE = fc
  .tuple(fc.constantFrom('', ' ', '\n\t', '\r\n'), PAGE_START.chain(anyCase), anyText())
  .map((pieces) => pieces.join(''));

/** A response, and whether the service itself may have sent its type and its text. */
const RESPONSE = fc
  .record({
    status: fc.oneof(fc.integer({ min: 200, max: 299 }), fc.integer({ min: 300, max: 999 })),
    isOwn: fc.boolean(),
    own: fc.record({ type: OWN_TYPE, body: OWN_TEXT }),
    other: fc.oneof(
      fc.record({ type: OTHER_TYPE, body: OWN_TEXT }),
      fc.record({ type: fc.oneof(OWN_TYPE, OTHER_TYPE), body: PAGE }),
    ),
    complete: fc.boolean(),
  })
  .map(({ status, isOwn, own, other, complete }) => {
    const { type, body } = isOwn ? own : other;
    const headers = type === '' ? {} : { 'content-type': type };
    return { isOwn, response: { status, headers, body, complete } };
  });

const STATE = fc.constantFrom<State>(
  'resolving',
  'tunnelling',
  'connecting',
  'asking',
  'sending',
  'flushing',
  'waiting',
);
/** A certificate that is not trusted, an unknown name and a refused port are known before anything is sent. */
const CODE = fc.constantFrom(undefined, 'ECONNRESET', 'EPIPE', 'EPROTO', 'HPE_INVALID_CONSTANT');
const FAILURE: fc.Arbitrary<AttemptFailure> = fc.oneof(
  CODE.map((code): AttemptFailure => {
    return { kind: 'connection', error: makeConnectionError({ code }) };
  }),
  fc.constantFrom<AttemptFailure>(
    { kind: 'limit', limitMs: 1000 },
    { kind: 'step', error: new StepError('time-limit', 'It ended.'), text: 'It ended.' },
    { kind: 'unexpected', text: 'x is not a function' },
  ),
);

describe('findSituation', () => {
  test('accepts only a complete 2xx after the whole body that is neither a web page nor a problem', () => {
    fc.assert(
      fc.property(RESPONSE, fc.boolean(), ({ isOwn, response }, isSent) => {
        const { status, complete } = response;
        const isRedirect = status >= 300 && status <= 399;
        const isSuccess = status <= 299 && isOwn;
        const attempt = makeAttempt({ response, isSent });
        const situation = findSituation(attempt, SETTINGS);
        const { result, retries } = followAttempt(situation, attempt);
        const isAccepted = isSuccess && complete && isSent;
        expect([result === 'accepted', situation === undefined]).toEqual([isAccepted, isAccepted]);
        // Without the whole body, the service cannot have the scan.
        expect(result === 'not-sent').toBe(isSuccess && !isSent);
        expect(isSent || result !== 'unconfirmed').toBe(true);
        expect(!isRedirect || result === 'rejected').toBe(true);
        expect((!isAccepted && !isRedirect) || retries === 0).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('returns unconfirmed without a response if, and only if, everything was sent', () => {
    fc.assert(
      fc.property(FAILURE, STATE, fc.boolean(), (failure, state, isSent) => {
        const isEarly = ['resolving', 'tunnelling', 'connecting'].includes(state);
        const isWaiting = state === 'waiting';
        const attempt = makeAttempt({
          failure,
          state,
          isSent: isWaiting || (isSent && !isEarly),
        });
        const { result } = followAttempt(findSituation(attempt, SETTINGS), attempt);
        expect(result).toBe(attempt.isSent ? 'unconfirmed' : 'not-sent');
      }),
      { numRuns: 500 },
    );
  });
});
