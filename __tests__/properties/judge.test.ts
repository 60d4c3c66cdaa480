import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { StepError } from '../../src/errors.ts';
import type { AttemptFailure, State } from '../../src/service/attempt.ts';
import { findSituation, followAttempt } from '../../src/service/judge.ts';
import { SETTINGS, makeAttempt, makeConnectionError } from '../support/attempts.ts';
import type { ResponseSpec } from '../support/attempts.ts';
import { anyCase, anyText } from './arbitraries.ts';

/** A content type or a text, and whether it belongs to a web page or a problem. */
interface Trait {
  readonly value: string | undefined;
  readonly isForeign: boolean;
}

function withParameters(type: string): fc.Arbitrary<string> {
  const parameters = fc.constantFrom('', ';charset=utf-8', '; charset="utf-8"', ' ; a=b');
  return fc.tuple(anyCase(type), parameters).map(([name, rest]) => `${name}${rest}`);
}

const CONTENT_TYPE: fc.Arbitrary<Trait> = fc.oneof(
  fc.constant({ value: undefined, isForeign: false }),
  fc
    .constantFrom('application/json', 'text/plain', 'text/json', 'application/xmlx', 'text/htm')
    .chain(withParameters)
    .map((value) => ({ value, isForeign: false })),
  fc
    .constantFrom('text/html', 'application/xhtml+xml', 'application/problem+json')
    .chain(withParameters)
    .map((value) => ({ value, isForeign: true })),
);

const PAGE_START = fc.constantFrom(
  '<!doctype html>',
  '<html>',
  '<html lang="en">',
  '<head>',
  '<body class="a">',
  '<!-- a --><html>',
  '<!-- a --> <!-- <b> -->\n<!DOCTYPE html>',
);
const TEXT: fc.Arbitrary<Trait> = fc.oneof(
  fc
    .constantFrom('{}\n[]', 'accepted: <html>', '< 3', '<?xml version="1.0"?><r/>')
    .map((value) => ({ value, isForeign: false })),
  // Two lines: a single one may be declared as HTML. Text with NUL cannot be read.
  anyText().map((text) => ({ value: `"${text.replaceAll('\0', '')}\n"`, isForeign: false })),
  fc
    .tuple(fc.constantFrom('', ' ', '\n\t', '\r\n'), PAGE_START.chain(anyCase), anyText())
    .map((pieces) => ({ value: pieces.join(''), isForeign: true })),
);

function describeResponse(
  status: number,
  type: string | undefined,
  body: string | undefined,
  complete: boolean,
): ResponseSpec {
  const headers = type === undefined ? undefined : { 'content-type': type };
  return {
    status,
    complete,
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  };
}

const RESPONSE = fc
  .record({
    status: fc.oneof(
      fc.integer({ min: 200, max: 299 }),
      fc.constantFrom(300, 301, 400, 401, 413, 429, 500, 502, 503, 504, 520, 524),
      fc.integer({ min: 300, max: 999 }),
    ),
    type: CONTENT_TYPE,
    text: TEXT,
    complete: fc.boolean(),
  })
  .map(({ status, type, text, complete }) => ({
    response: describeResponse(status, type.value, text.value, complete),
    isRedirect: status >= 300 && status <= 399,
    /** Whether it is a success that the service itself may have sent. */
    isSuccess: status >= 200 && status <= 299 && !type.isForeign && !text.isForeign,
  }));

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
      fc.property(RESPONSE, fc.boolean(), ({ response, isRedirect, isSuccess }, isSent) => {
        const attempt = makeAttempt({ response, isSent });
        const situation = findSituation(attempt, SETTINGS);
        const { result, retries } = followAttempt(situation, attempt);
        const isAccepted = isSuccess && response.complete === true && isSent;
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
