import { describe, expect, test } from '@jest/globals';
import type { UploadFacts } from '../../src/report/explain-upload.ts';
import {
  IIS_BODY_BYTES,
  explainRefusal,
  explainWebPage,
  nameStatus,
} from '../../src/report/explain-service.ts';
import type { Explanation } from '../../src/report/result.ts';
import type { ServiceResponse } from '../../src/service/response.ts';
import { makeResponse } from '../support/bodies.ts';
import { evaluate } from '../support/evaluate.ts';
import { FACTS, makeRefusal } from '../support/report.ts';

const LARGE = { ...FACTS, bodyBytes: IIS_BODY_BYTES + 1, files: 'scan.json (30.0 MiB)' };
const TOO_LARGE = {
  details: ['Files: scan.json (30.0 MiB)'],
  advice: ['The upload, 30000001 bytes, is probably too large for the service.'],
};

function refuse(response: Partial<ServiceResponse>, facts: UploadFacts = FACTS): Explanation {
  const { response: whole, problem } = makeRefusal(response);
  return explainRefusal(whole, problem, facts);
}

function refuseWith(problem: object, response: Partial<ServiceResponse> = {}): Explanation {
  return refuse({ text: JSON.stringify(problem), ...response });
}

describe('explainRefusal of a problem', () => {
  test('says the detail first, then the errors entry by entry, then the trace id', () => {
    const explanation = refuseWith({
      title: 'Validation failed.',
      status: 400,
      detail: 'The form is not complete.',
      errors: { ScanKey: ['is required', 'is no UUID'], '': ['Too few parts.'], File: 'is empty' },
      traceId: '00-abc-def-00',
    });
    expect(explanation).toEqual({
      headline: 'The form is not complete.',
      details: [
        'Validation failed.',
        'ScanKey: is required',
        'ScanKey: is no UUID',
        'Too few parts.',
        'File: is empty',
        'Trace id of the service: 00-abc-def-00',
      ],
      advice: [],
    });
  });

  test.each([
    ['a title and errors', { title: 'T.', errors: { a: ['x', 'y'] } }, 'T. a: x', ['a: y']],
    ['a title', { title: 'T.' }, 'T.', []],
    ['errors', { errors: { a: ['x', 'y'] } }, 'a: x', ['a: y']],
    ['a detail like its title', { title: 'Same.', detail: 'Same.' }, 'Same.', []],
    ['errors of no field', { errors: { ' ': ['x'] } }, 'x', []],
    ['errors of several lines', { errors: { a: ['x\n  y '] } }, 'a: x y', []],
  ])('says what there is: %s', (_, problem, headline, details) => {
    expect(refuseWith(problem)).toEqual({ headline, details, advice: [] });
  });

  test('falls back on the status where the problem says nothing', () => {
    expect(refuseWith({}).headline).toMatch(/^HTTP 400 Bad Request/);
    expect(refuseWith({ errors: { '': [''] } }).headline).toMatch(/^HTTP 400 Bad Request/);
  });

  test('does not name who answered: it was the service', () => {
    const explanation = refuseWith({ detail: 'No.' }, { headers: { server: 'Kestrel' } });
    expect(explanation.details).toEqual([]);
  });
});

describe('explainRefusal of a response without a problem', () => {
  test.each([
    ['', 'HTTP 400 Bad Request'],
    [' \r\n ', 'HTTP 400 Bad Request'],
    ['Invalid key\nand more', 'HTTP 400 Bad Request: Invalid key'],
    ['\r\n\r\n  Invalid key  \r\nmore', 'HTTP 400 Bad Request: Invalid key'],
    ['\u001b[31m\u200b\nInvalid\u202e key', 'HTTP 400 Bad Request: Invalid key'],
    ['{"message":"no"}', 'HTTP 400 Bad Request: {"message":"no"}'],
    [
      '<html>\n<head><TITLE lang="en">\n Request\u200b Rejected </TITLE></head>',
      'HTTP 400 Bad Request: Request Rejected',
    ],
    ['<html><title></title>\nx', 'HTTP 400 Bad Request: <html><title></title>'],
  ])('says the status and the first line of %j', (text, headline) => {
    expect(refuse({ text }).headline).toBe(headline);
  });

  test('names a status that nobody knows', () => {
    expect(refuse({ status: 599 }).headline).toBe('HTTP 599');
  });

  test('says who answered', () => {
    const headers = { server: 'nginx', via: '1.1 edge', 'cf-ray': '8f-FRA', 'x-request-id': '7' };
    expect(refuse({ status: 502, headers }).details).toEqual([
      'Answered by server: nginx, via: 1.1 edge, x-request-id: 7, cf-ray: 8f-FRA',
    ]);
  });
});

describe('explainRefusal of a 401', () => {
  const ADVICE = [
    'Check the token input, and token-header and token-prefix if the service wants another scheme.',
  ];

  test('says what the challenge says is wrong with the token', () => {
    const challenge = 'Bearer error="invalid_token", error_description="The token expired at noon"';
    const headers = { 'www-authenticate': challenge, server: 'Kestrel' };
    expect(refuse({ status: 401, headers })).toEqual({
      headline: 'HTTP 401 Unauthorized',
      details: ['The token expired at noon', 'Answered by server: Kestrel'],
      advice: ADVICE,
    });
  });

  test.each([
    ['oidc', 'oidc-audience'],
    ['none', 'auth: oidc'],
  ] as const)('names what mends it with auth: %s', (credentialKind, words) => {
    const { advice } = refuse({ status: 401 }, { ...FACTS, credentialKind });
    expect(advice).toEqual([expect.stringContaining(words)]);
  });

  test('says what the service asks for', () => {
    const headers = { 'www-authenticate': 'ApiKey realm="scans"' };
    expect(refuse({ status: 401, headers })).toEqual({
      headline: 'HTTP 401 Unauthorized',
      details: ['The service asks for: ApiKey realm="scans"'],
      advice: ADVICE,
    });
  });

  test('says the problem first', () => {
    const headers = { 'www-authenticate': 'Bearer error_description="expired"' };
    const problem = { detail: 'Who are you?', traceId: '7' };
    expect(refuseWith(problem, { status: 401, headers })).toEqual({
      headline: 'Who are you?',
      details: ['expired', 'Trace id of the service: 7'],
      advice: ADVICE,
    });
  });

  test('needs no challenge', () => {
    expect(refuse({ status: 401 })).toEqual({
      headline: 'HTTP 401 Unauthorized',
      details: [],
      advice: ADVICE,
    });
  });

  test('reads no challenge in another status', () => {
    const headers = { 'www-authenticate': 'Bearer error_description="expired"' };
    expect(refuse({ status: 403, headers }).details).toEqual([]);
  });
});

describe('explainRefusal of what is too large', () => {
  test('knows a 413 of any size', () => {
    expect(refuse({ status: 413 }, LARGE)).toEqual({
      headline: nameStatus(413),
      ...TOO_LARGE,
    });
    expect(refuse({ status: 413 }).details).toEqual(['Files: scan.json (1.2 KiB)']);
  });

  test.each([
    {
      errors: { '': ['Failed to read the request form. Request body too large. The limit is 1.'] },
    },
    { detail: 'request body too large' },
    { title: 'Bad', errors: { a: ['x'], b: ['Request Body Too Large'] } },
  ])('knows ASP.NET’s 400: %j', (problem) => {
    const explanation = refuseWith(problem, {});
    expect(explanation.details.at(-1)).toBe('Files: scan.json (1.2 KiB)');
    expect(explanation.advice).toEqual([
      'The upload, 1500 bytes, is probably too large for the service.',
    ]);
  });

  test('does not take another 400, or another status, for one', () => {
    expect(refuseWith({ detail: 'Bad.' }, {}).advice).toEqual([]);
    expect(refuse({ status: 400 }, LARGE).advice).toEqual([]);
    expect(refuseWith({ detail: 'Request body too large' }, { status: 422 }).advice).toEqual([]);
  });

  test('knows the 404 of IIS by the size of the body', () => {
    expect(IIS_BODY_BYTES).toBe(30_000_000);
    expect(refuse({ status: 404 }, LARGE)).toEqual({
      headline: 'HTTP 404 Not Found',
      ...TOO_LARGE,
    });
    const atLimit = { ...LARGE, bodyBytes: IIS_BODY_BYTES };
    expect(refuse({ status: 404 }, atLimit).details).toEqual([]);
  });
});

describe('explainRefusal names what mends it', () => {
  test.each([
    [404, {}, 'Check base-url: https://scan.example/tenant/v1/scanner/upload-file is not there.'],
    [
      403,
      { 'content-type': 'text/html; charset=utf-8' },
      'A web firewall probably refused what is in the report: ask for an exception for this path.',
    ],
    [
      403,
      { 'content-type': 'application/json' },
      'The credential is known but may not upload for this scan-key.',
    ],
    [403, {}, 'The credential is known but may not upload for this scan-key.'],
    [429, {}, 'The service limits the rate of uploads: start the step later, or raise retries.'],
  ])('of a %i with %j', (status, headers, advice) => {
    expect(refuse({ status, headers }).advice).toEqual([advice]);
  });

  test.each([
    ['400 No required SSL certificate was sent', 'client-cert and client-key'],
    ['400 The SSL certificate error', 'client-cert and client-key'],
    ['400 The plain HTTP request was sent to HTTPS port', 'https://'],
  ])('of a 400 with nginx’s page “%s”', (title, words) => {
    const text = `<html>\r\n<head><title>${title}</title></head>`;
    expect(refuse({ status: 400, text }).advice).toEqual([expect.stringContaining(words)]);
    expect(refuse({ status: 422, text }).advice).toEqual([]);
  });

  test('reads a title with attributes, and searches a text without one in linear time', () => {
    expect(refuse({ text: '<TITLE lang="en">Gone</title>' }).headline).toMatch(/: Gone$/);
    const response = `{ status: 500, headers: {}, text: '<title'.repeat(2e5) }`;
    const expression = `m.explainRefusal(${response}, undefined, {}).headline.length`;
    expect(evaluate('report/explain-service.ts', expression)).toBe(
      String('HTTP 500 Internal Server Error: '.length + 6 * 2e5),
    );
  });

  test.each([400, 405, 409, 415, 422, 500, 503])('has nothing to add to a %i', (status) => {
    expect(refuse({ status }).advice).toEqual([]);
  });
});

describe('nameStatus', () => {
  test.each([
    [404, 'HTTP 404 Not Found'],
    [524, 'HTTP 524'],
    [0, 'HTTP 0'],
  ])('of %i is %s', (status, name) => {
    expect(nameStatus(status)).toBe(name);
  });
});

describe('explainWebPage', () => {
  test.each([
    'x-request-id',
    'x-correlation-id',
    'request-id',
    'cf-ray',
    'x-amzn-requestid',
    'x-amz-cf-id',
    'x-azure-ref',
    'x-ms-request-id',
    'x-cloud-trace-context',
    'server',
    'via',
  ])('says by the header %s who answered', (name) => {
    const headers = { [name]: 'value', 'x-other': '1' };
    expect(explainWebPage(makeResponse({ headers })).details).toEqual([
      `Answered by ${name}: value`,
    ]);
  });

  test('says nothing of who answered where no header does', () => {
    expect(explainWebPage(makeResponse({ headers: { date: 'today' } })).details).toEqual([]);
  });
});
