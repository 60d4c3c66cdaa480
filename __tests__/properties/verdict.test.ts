import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { FileError } from '../../src/errors.ts';
import { StalledError } from '../../src/service/phase-timer.ts';
import type { Phase } from '../../src/service/phase-timer.ts';
import { judgeExchange } from '../../src/service/verdict.ts';
import { makeError, makeResponse } from '../support/bodies.ts';
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
    .constantFrom(
      '{}\n[]',
      '{"a":"<html>"}\n',
      'accepted: <html>',
      '< 3',
      '<?xml version="1.0"?><r/>',
    )
    .map((value) => ({ value, isForeign: false })),
  // Two lines: a single one may be declared as HTML. Text with NUL cannot be read.
  anyText().map((text) => ({ value: `"${text.replaceAll('\0', '')}\n"`, isForeign: false })),
  fc
    .tuple(fc.constantFrom('', ' ', '\n\t', '\r\n'), PAGE_START.chain(anyCase), anyText())
    .map((pieces) => ({ value: pieces.join(''), isForeign: true })),
);

const RESPONSE = fc
  .record({
    status: fc.oneof(
      fc.integer({ min: 200, max: 299 }),
      fc.constantFrom(199, 300, 301, 400, 401, 413, 429, 500, 502, 503, 504, 520, 524),
      fc.integer({ min: 100, max: 999 }),
    ),
    type: CONTENT_TYPE,
    text: TEXT,
    complete: fc.boolean(),
  })
  .map(({ status, type, text, complete }) => ({
    response: makeResponse({
      status,
      headers: type.value === undefined ? {} : { 'content-type': type.value },
      text: text.value ?? '',
      complete,
    }),
    isRedirect: status >= 300 && status <= 399,
    /** Whether it is a success that the service itself may have sent. */
    isSuccess: status >= 200 && status <= 299 && !type.isForeign && !text.isForeign,
  }));

const PHASE = fc.constantFrom<Phase>('connect', 'continue', 'send', 'head', 'body');
const CODE = fc.constantFrom(
  undefined,
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ENOTFOUND',
  'CERT_HAS_EXPIRED',
  'EPROTO',
  'HPE_INVALID_CONSTANT',
);
const FAULT: fc.Arbitrary<Error> = fc.oneof(
  fc.tuple(CODE, anyText()).map(([code, message]) => makeError(code, message)),
  PHASE.map((phase) => new StalledError(phase, 1000)),
  anyText().map((message) => new FileError(message)),
);

function makeSignal(aborted: boolean): AbortSignal {
  return aborted ? AbortSignal.abort() : new AbortController().signal;
}

describe('judgeExchange', () => {
  test('accepts only a complete 2xx after the whole body that is neither a web page nor a problem', () => {
    fc.assert(
      fc.property(RESPONSE, fc.boolean(), fc.boolean(), (received, isSent, aborted) => {
        const { response, isRedirect, isSuccess } = received;
        const outcome = { kind: 'response', response } as const;
        const { result, cause, retry } = judgeExchange({ outcome, isSent }, makeSignal(aborted));
        const isAccepted = isSuccess && response.complete && isSent;
        expect([result === 'accepted', cause.kind === 'accepted']).toEqual([
          isAccepted,
          isAccepted,
        ]);
        // Without the whole body, the service cannot have the scan.
        expect(result === 'not-sent').toBe(isSuccess && !isSent);
        expect(isSent || result !== 'unconfirmed').toBe(true);
        expect(!isRedirect || result === 'rejected').toBe(true);
        expect((!isAccepted && !isRedirect) || retry === 'never').toBe(true);
      }),
      { numRuns: 2500 },
    );
  });

  test('returns unconfirmed without a response if, and only if, everything was sent', () => {
    fc.assert(
      fc.property(FAULT, PHASE, fc.boolean(), fc.boolean(), (error, phase, isSent, aborted) => {
        const outcome = { kind: 'failure', phase, error } as const;
        const { result, retry, cause } = judgeExchange({ outcome, isSent }, makeSignal(aborted));
        expect(result).toBe(isSent ? 'unconfirmed' : 'not-sent');
        expect(cause.kind === 'aborted').toBe(aborted);
        expect(!aborted || retry === 'never').toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
