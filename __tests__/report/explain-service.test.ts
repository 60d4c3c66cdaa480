import { describe, expect, test } from '@jest/globals';
import type { UploadFacts } from '../../src/report/upload-facts.ts';
import { explainRefusal, explainWebPage } from '../../src/report/explain-service.ts';
import { IIS_BODY_BYTES } from '../../src/report/upload-facts.ts';
import type { Explanation, Reason } from '../../src/report/result.ts';
import type { ServiceResponse } from '../../src/service/response.ts';
import { makeResponse } from '../support/bodies.ts';
import { evaluate } from '../support/evaluate.ts';
import { FACTS, makeRefusal } from '../support/report.ts';

const LARGE = { ...FACTS, bodyBytes: IIS_BODY_BYTES + 1, files: 'scan.json (30.0 MiB)' };

function refuse(response: Partial<ServiceResponse>, facts: UploadFacts = FACTS): Explanation {
  const { response: whole, problem } = makeRefusal(response);
  return explainRefusal(whole, problem, facts);
}

function refuseWith(problem: object, response: Partial<ServiceResponse> = {}): Explanation {
  return refuse({ text: JSON.stringify(problem), ...response });
}

describe('explainRefusal of a problem', () => {
  test('shows the detail first, then each error, then the trace id', () => {
    const problem = {
      title: 'Validation failed.',
      status: 400,
      detail: 'The form is not complete.',
      errors: { ScanKey: ['is required', 'is no UUID'], '': ['Too few parts.'], File: 'is empty' },
      traceId: '00-abc-def-00',
    };
    // Problem details come from the service itself, so its `server` header is not shown.
    expect(refuseWith(problem, { headers: { server: 'Kestrel' } })).toEqual({
      reason: 'problem',
      headline: 'The form is not complete.',
      details: [
        'ScanKey: is required',
        'ScanKey: is no UUID',
        'Too few parts.',
        'File: is empty',
        'Validation failed.',
      ],
      advice: [],
      traces: ['Trace id of the service: 00-abc-def-00'],
    });
  });

  test.each([
    ['a title and errors', { title: 'T.', errors: { a: ['x', 'y'] } }, 'a: x', ['a: y', 'T.']],
    ['a title', { title: 'T.' }, 'T.', []],
    ['errors', { errors: { a: ['x', 'y'] } }, 'a: x', ['a: y']],
    ['a detail that equals its title once', { title: 'Same.', detail: 'Same.' }, 'Same.', []],
    ['errors without a field name', { errors: { ' ': ['x'] } }, 'x', []],
    ['errors of several lines', { errors: { a: ['x\n  y '] } }, 'a: x y', []],
  ])('shows %s', (_, problem, headline, details) => {
    expect(refuseWith(problem)).toEqual({
      reason: 'problem',
      headline,
      details,
      advice: [],
      traces: [],
    });
  });

  test('falls back to the status if the problem has no text', () => {
    expect(refuseWith({}).headline).toMatch(/^HTTP 400 Bad Request/);
    expect(refuseWith({ errors: { '': [''] } }).headline).toMatch(/^HTTP 400 Bad Request/);
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
  ])('shows the status and the first line of %j', (text, headline) => {
    expect(refuse({ text }).headline).toBe(headline);
    // A status without a name.
    expect(refuse({ status: 524, text }).headline).toBe(headline.replace('400 Bad Request', '524'));
  });

  test('does not repeat the status that a page has as its title', () => {
    const text = '<html><title>400 Bad Request</title></html>';
    expect(refuse({ text }).headline).toBe('HTTP 400 Bad Request');
  });
});

describe('explainRefusal of a 401', () => {
  const SERVER = 'Response headers: server: Kestrel';
  const REJECTED = 'The service rejected the credential (HTTP 401).';

  test.each<[string, string | undefined, object, readonly string[], string]>([
    [
      'the description in the challenge',
      'Bearer error="invalid_token", error_description="The token expired at noon"',
      {},
      ['The token expired at noon'],
      SERVER,
    ],
    [
      'the challenge',
      'ApiKey realm="scans"',
      {},
      [REJECTED, 'The service asks for: ApiKey realm="scans"'],
      SERVER,
    ],
    [
      'the problem first',
      'Bearer error_description="expired"',
      { detail: 'Who are you?', traceId: '7' },
      ['Who are you?', 'expired'],
      'Trace id of the service: 7',
    ],
    ['the status', undefined, {}, [REJECTED], SERVER],
    [
      'no title that only repeats the status',
      undefined,
      { title: 'Unauthorized', traceId: '7' },
      [REJECTED],
      'Trace id of the service: 7',
    ],
  ])('shows %s, and what to check', (_, challenge, problem, lines, trace) => {
    const known = { server: 'Kestrel' };
    const headers = challenge === undefined ? known : { ...known, 'www-authenticate': challenge };
    const text = Object.keys(problem).length === 0 ? '' : JSON.stringify(problem);
    const [headline, ...details] = lines;
    expect(refuse({ status: 401, headers, text })).toEqual({
      reason: 'credentials',
      headline,
      details,
      advice: [
        'Check `token`, and `token-header` and `token-prefix` if the service wants another scheme.',
      ],
      traces: [trace],
    });
  });

  test.each([
    ['Unauthorized', REJECTED],
    ['The token is from another tenant.\nmore', 'The token is from another tenant.'],
  ])('shows the first line of %j, unless it is the name of the status', (text, headline) => {
    expect(refuse({ status: 401, text }).headline).toBe(headline);
  });

  test.each([
    ['oidc', '`oidc-audience`'],
    ['none', '`auth: oidc`'],
  ] as const)('names the fix with auth: %s', (credentialKind, words) => {
    const { advice } = refuse({ status: 401 }, { ...FACTS, credentialKind });
    expect(advice).toEqual([expect.stringContaining(words)]);
  });

  test('ignores a challenge in a response with another status', () => {
    const headers = { 'www-authenticate': 'Bearer error_description="expired"' };
    expect(refuse({ status: 403, headers }).details).toEqual([]);
  });
});

describe('explainRefusal of a body that is too large', () => {
  const BODY_TOO_LARGE = 'Failed to read the request form. Request body too large. The limit is 1.';

  test.each([
    ['any 413', { status: 413 }],
    ["IIS's 404", { status: 404 }],
    ["ASP.NET's 400", { text: JSON.stringify({ errors: { '': [BODY_TOO_LARGE] } }) }],
    [
      "the 400 of ASP.NET's form reader",
      {
        text: '{"errors":{"":["Failed to read the request form. Multipart body length limit 134217728 exceeded."]}}',
      },
    ],
    ["ASP.NET's 400 with a detail", { text: '{"detail":"request body too large"}' }],
    [
      "ASP.NET's 400 with two errors",
      { text: '{"errors":{"a":["x"],"b":["Request Body Too Large"]}}' },
    ],
  ])('names the size: %s', (_, response) => {
    const { reason, details, advice } = refuse(response, LARGE);
    expect(reason).toBe('too-large');
    expect(details[0]).toBe('Files: scan.json (30.0 MiB)');
    expect(advice).toEqual([
      'The upload (30000001 bytes) is probably too large for the service. Reduce the size of the files, or raise the limit of the service.',
    ]);
  });

  test('does not suggest for other responses that the upload is too large', () => {
    expect(IIS_BODY_BYTES).toBe(30_000_000);
    expect(refuse({ status: 404 }, { ...LARGE, bodyBytes: IIS_BODY_BYTES }).details).toEqual([]);
    expect(refuseWith({ detail: 'Bad.' }).advice).toEqual([]);
    expect(refuse({ status: 400 }, LARGE).advice).toEqual([]);
    expect(refuseWith({ detail: 'Request body too large' }, { status: 422 }).advice).toEqual([]);
  });
});

describe('the advice of explainRefusal', () => {
  test.each([
    [
      404,
      {},
      'The service returned 404 for https://scan.example/tenant/v1/scanner/upload-file: check `base-url`.',
    ],
    [
      403,
      { 'content-type': 'text/html; charset=utf-8' },
      'A web firewall probably refused the contents: ask for an exception for this path.',
    ],
    [
      403,
      { 'content-type': 'application/json' },
      'Check that the credential may upload for this `scan-key`.',
    ],
    [403, {}, 'Check that the credential may upload for this `scan-key`.'],
    [
      429,
      {},
      'The service limits the rate of uploads. Start the step later, or increase `retries`.',
    ],
  ])('names the fix for a %i with the headers %j', (status, headers, advice) => {
    expect(refuse({ status, headers }).advice).toEqual([advice]);
  });

  test.each<[{ detail?: string; title?: string; type?: string }, boolean]>([
    [{ detail: 'No such scan.' }, true],
    [{ title: 'Gone.', type: 'https://scan.example/problems/scan' }, true],
    [{ title: 'Not Found', type: 'about:blank' }, false],
    [{ title: 'Not Found', type: 'https://tools.ietf.org/html/rfc9110#section-15.5.5' }, false],
    [{ title: 'Not Found' }, false],
  ])(
    'names `scan-key` for a 404 with the problem %j of the service itself: %s',
    (problem, isOwn) => {
      const { headline, advice } = refuseWith(problem, { status: 404 });
      expect(headline).toBe(problem.detail ?? problem.title);
      expect(advice).toEqual([
        isOwn
          ? 'Check `scan-key`.'
          : `The service returned 404 for ${FACTS.address}: check \`base-url\`.`,
      ]);
    },
  );

  test.each([
    ['400 No required SSL certificate was sent', 'set `client-cert` and `client-key`'],
    ['400 The SSL certificate error', 'set `client-cert` and `client-key`'],
    ['400 The plain HTTP request was sent to HTTPS port', '`base-url` must begin with https://'],
  ])('names the input to fix for the 400 page “%s” of nginx', (title, words) => {
    const text = `<html>\r\n<head><title>${title}</title></head>`;
    expect(refuse({ status: 400, text }).advice).toEqual([expect.stringContaining(words)]);
    expect(refuse({ status: 422, text }).advice).toEqual([]);
  });

  test('takes linear time to search for a title', () => {
    const response = `{ status: 500, headers: {}, text: '<title'.repeat(2e5) }`;
    const expression = `m.explainRefusal(${response}, undefined, {}).headline.length`;
    expect(evaluate('report/explain-service.ts', expression)).toBe(
      String('HTTP 500 Internal Server Error: '.length + 6 * 2e5),
    );
  });

  test.each([400, 405, 409, 415, 422, 500, 503])('is empty for a %i', (status) => {
    expect(refuse({ status }).advice).toEqual([]);
  });
});

describe('the reason of explainRefusal', () => {
  const [PROBLEM, PAGE] = ['{"detail":"No."}', { 'content-type': 'text/html' }];

  test.each<[number, string, ServiceResponse['headers'], Reason]>([
    [400, PROBLEM, {}, 'problem'],
    [500, PROBLEM, {}, 'problem'],
    [404, PROBLEM, {}, 'problem'],
    [400, '', {}, 'refused'],
    [503, 'busy', PAGE, 'refused'],
    [401, PROBLEM, {}, 'credentials'],
    [401, '', PAGE, 'credentials'],
    [403, PROBLEM, {}, 'credentials'],
    [403, '', PAGE, 'refused'],
    [429, PROBLEM, {}, 'rate-limited'],
    [413, PROBLEM, {}, 'too-large'],
  ])('for a %i with the body %j and the headers %j is %s', (status, text, headers, reason) => {
    expect(refuse({ status, text, headers }).reason).toBe(reason);
  });
});

describe('explainWebPage', () => {
  test('lists every header that identifies a server', () => {
    const names = [
      'server',
      'via',
      'x-request-id',
      'x-correlation-id',
      'request-id',
      'cf-ray',
      'x-amzn-requestid',
      'x-amz-cf-id',
      'x-azure-ref',
      'x-ms-request-id',
      'x-cloud-trace-context',
    ];
    const headers = Object.fromEntries(
      [...names, 'x-other'].map((name, index) => [name, String(index)]),
    );
    expect(explainWebPage(makeResponse({ headers })).traces).toEqual([
      `Response headers: ${names.map((name, index) => `${name}: ${index}`).join(', ')}`,
    ]);
    expect(explainWebPage(makeResponse({ headers: { 'x-other': '1' } })).traces).toEqual([]);
  });
});
