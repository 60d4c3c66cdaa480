import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { FileError } from '../../src/errors.ts';
import type { ServiceResponse } from '../../src/service/response.ts';
import { judgeExchange } from '../../src/service/verdict.ts';
import type { Verdict } from '../../src/service/verdict.ts';
import { StalledError } from '../../src/service/phase-timer.ts';
import type { Phase } from '../../src/service/phase-timer.ts';
import { makeError } from '../support/bodies.ts';
import { anyCase, anyText } from './arbitraries.ts';

/** A content type or a text, and whether it is that of a web page or a problem. */
interface Trait {
  readonly value: string | undefined;
  readonly isPage: boolean;
  readonly isProblem: boolean;
}

const PLAIN = { isPage: false, isProblem: false };
const PAGE = { isPage: true, isProblem: false };
const PROBLEM = { isPage: false, isProblem: true };

function withParameters(type: string): fc.Arbitrary<string> {
  const parameters = fc.constantFrom('', ';charset=utf-8', '; charset="utf-8"', ' ; a=b');
  return fc.tuple(anyCase(type), parameters).map(([name, rest]) => `${name}${rest}`);
}

const CONTENT_TYPE: fc.Arbitrary<Trait> = fc.oneof(
  fc
    .constantFrom('application/json', 'text/plain', 'text/json', 'application/xml', 'text/htm')
    .chain(withParameters)
    .map((value) => ({ value, ...PLAIN })),
  fc.constant({ value: undefined, ...PLAIN }),
  fc
    .constantFrom('text/html', 'application/xhtml+xml')
    .chain(withParameters)
    .map((value) => ({ value, ...PAGE })),
  withParameters('application/problem+json').map((value) => ({ value, ...PROBLEM })),
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
    .constantFrom('', '{}', '{"a":"<html>"}', 'ok', 'ok <html>', '<report/>', '<header>', '<htm>')
    .map((value) => ({ value, ...PLAIN })),
  anyText()
    .map((text) => `"${text}`)
    .map((value) => ({ value, ...PLAIN })),
  fc
    .tuple(fc.constantFrom('', ' ', '\n\t', '\r\n'), PAGE_START.chain(anyCase), anyText())
    .map(([before, start, rest]) => ({ value: `${before}${start}${rest}`, ...PAGE })),
);

const STATUS = fc.oneof(
  fc.integer({ min: 200, max: 299 }),
  fc.constantFrom(199, 300, 301, 400, 401, 413, 429, 500, 502, 503, 504, 520, 524),
  fc.integer({ min: 100, max: 999 }),
);

type ResponseCase = Omit<ServiceResponse, 'headers' | 'text'> & {
  readonly type: Trait;
  readonly text: Trait;
};

const RESPONSE: fc.Arbitrary<ResponseCase> = fc.record({
  status: STATUS,
  type: CONTENT_TYPE,
  text: TEXT,
  complete: fc.boolean(),
});

const PHASE = fc.constantFrom<Phase>('connect', 'continue', 'send', 'head', 'body');
const CODE = fc.constantFrom(
  undefined,
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'CERT_HAS_EXPIRED',
  'EPROTO',
  'HPE_INVALID_CONSTANT',
  'HPE_INVALID_EOF_STATE',
);
const FAULT: fc.Arbitrary<Error> = fc.oneof(
  fc.tuple(CODE, anyText()).map(([code, message]) => makeError(code, message)),
  PHASE.map((phase) => new StalledError(phase, 1000)),
  anyText().map((message) => new FileError(message)),
);

/** What OpenSSL says when the service wants a client certificate. */
const ALERT =
  '00F8A7F0:error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:916:SSL alert number 116';

function makeSignal(aborted: boolean): AbortSignal {
  return aborted ? AbortSignal.abort() : new AbortController().signal;
}

function makeResponse(told: ResponseCase): ServiceResponse {
  const { type, text, ...rest } = told;
  const headers = type.value === undefined ? {} : { 'content-type': type.value };
  return { ...rest, headers, text: text.value ?? '' };
}

function judge(response: ServiceResponse, isSent: boolean, aborted: boolean): Verdict {
  const outcome = { kind: 'response', response } as const;
  return judgeExchange({ outcome, isSent }, makeSignal(aborted));
}

describe('judgeExchange', () => {
  test('accepts exactly a complete 2xx after everything was sent that is neither a page nor a problem', () => {
    fc.assert(
      fc.property(RESPONSE, fc.boolean(), fc.boolean(), (told, isSent, aborted) => {
        const { status, complete, type, text } = told;
        const isForeign = type.isPage || text.isPage || type.isProblem;
        const isSuccess = status >= 200 && status <= 299;
        const { result, cause } = judge(makeResponse(told), isSent, aborted);
        expect(result === 'accepted').toBe(isSuccess && complete && isSent && !isForeign);
        expect(cause.kind === 'accepted').toBe(result === 'accepted');
      }),
      { numRuns: 2000 },
    );
  });

  test('repeats nothing that was accepted, and nothing that was redirected', () => {
    fc.assert(
      fc.property(RESPONSE, (told) => {
        const { result, retry } = judge(makeResponse(told), true, false);
        const isRedirect = told.status >= 300 && told.status <= 399;
        const isFinal = result === 'accepted' || isRedirect;
        expect([isFinal, retry]).toEqual([isFinal, isFinal ? 'never' : retry]);
        expect([isRedirect, result]).toEqual([isRedirect, isRedirect ? 'rejected' : result]);
      }),
      { numRuns: 500 },
    );
  });

  test('returns not-sent exactly for a success before everything was sent', () => {
    fc.assert(
      fc.property(RESPONSE, fc.boolean(), (told, isSent) => {
        const { result } = judge(makeResponse(told), isSent, false);
        const isSuccess = told.status >= 200 && told.status <= 299;
        const isForeign = told.type.isPage || told.text.isPage || told.type.isProblem;
        expect(result === 'not-sent').toBe(isSuccess && !isSent && !isForeign);
        expect([isSent, result]).not.toEqual([false, 'unconfirmed']);
      }),
      { numRuns: 500 },
    );
  });

  test('returns not-sent where the service asked for another client certificate', () => {
    const error = makeError('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', ALERT);
    fc.assert(
      fc.property(PHASE, fc.boolean(), (phase, isSent) => {
        const outcome = { kind: 'failure', phase, error } as const;
        const { result, retry } = judgeExchange({ outcome, isSent }, makeSignal(false));
        expect([result, retry]).toEqual(['not-sent', 'never']);
      }),
    );
  });

  test('without a response, returns unconfirmed exactly where everything was sent', () => {
    fc.assert(
      fc.property(FAULT, PHASE, fc.boolean(), fc.boolean(), (error, phase, isSent, aborted) => {
        const outcome = { kind: 'failure', phase, error } as const;
        const { result, retry, cause } = judgeExchange({ outcome, isSent }, makeSignal(aborted));
        expect(result).toBe(isSent ? 'unconfirmed' : 'not-sent');
        expect(cause.kind === 'aborted').toBe(aborted);
        expect([aborted, retry]).toEqual([aborted, aborted ? 'never' : retry]);
      }),
      { numRuns: 500 },
    );
  });
});
