import { describe, expect, test } from '@jest/globals';
import { makeResponse } from '../support/attempts.ts';
import { evaluate } from '../support/evaluate.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };

function read(status: number, body: unknown, headers = {}): readonly string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return makeResponse({ status, headers, body: text }).says;
}

function readPage(status: number, body: string, title = ''): readonly string[] {
  const head = title === '' ? '' : `<head><title>${title}</title></head>`;
  return read(status, `<!DOCTYPE html>\n<html lang="en">${head}<body>${body}</body></html>`, HTML);
}

const BAD_REQUEST = { status: 400, error: 'Bad Request' };
const LOC = ['body', 'Bom', 'specVersion'];

describe('readExplanation of JSON', () => {
  test.each<[string, unknown, readonly string[]]>([
    [
      'a problem',
      { title: 'T.', detail: 'D.', errors: { Key: ['is bad', 'is odd'] } },
      ['D.', 'Key: is bad', 'Key: is odd', 'T.'],
    ],
    ['a problem with no more than its status', { title: 'Bad Request', status: 400 }, []],
    ['a title after the errors', { title: 'T.', errors: { a: 'x' } }, ['a: x', 'T.']],
    ['Quarkus', { title: 'T.', violations: [{ field: 'f.k', message: 'm' }] }, ['f.k: m', 'T.']],
    ['Spring Boot', { ...BAD_REQUEST, message: 'It is closed.', path: '/v1' }, ['It is closed.']],
    ['Spring Boot without a message', { ...BAD_REQUEST, path: '/v1' }, []],
    [
      'a stack',
      { ...BAD_REQUEST, trace: 'E: away\n\tat a.B', message: 'away\n\tat a.B' },
      ['away'],
    ],
    [
      "Spring's bindings",
      { message: 'M: 1', errors: [{ codes: ['N.f'], field: 'key', defaultMessage: 'is null' }] },
      ['key: is null', 'M: 1'],
    ],
    ['ASP.NET Web API', { Message: 'No action was found.' }, ['No action was found.']],
    ['Laravel', { message: 'M m.', errors: { key: ['is bad.'] } }, ['key: is bad.', 'M m.']],
    ['Rails', { errors: ['Key is bad', 'File is blank'] }, ['Key is bad', 'File is blank']],
    ['FastAPI', { detail: [{ loc: LOC, msg: 'is old', ctx: {} }] }, ['Bom.specVersion: is old']],
    ['FastAPI with an object', { detail: { code: 'closed', message: 'It is.' } }, ['It is.']],
    ['Pydantic', [{ loc: ['key'], msg: 'Field required' }], ['key: Field required']],
    ['Django REST', { Report: ['No file.'], Key: ['Bad.'] }, ['Report: No file.', 'Key: Bad.']],
    [
      'Django REST, nested',
      { scan: { key: ['Bad.'], files: [{}, { name: ['Blank.'] }] } },
      ['scan.key: Bad.', 'scan.files.name: Blank.'],
    ],
    ['NestJS', { statusCode: 400, message: ['a is b', 'c is d'] }, ['a is b', 'c is d']],
    ['class-validator', [{ property: 'key', constraints: { isUuid: 'is bad' } }], ['key: is bad']],
    ['Zod', { error: { issues: [{ path: ['a', 0], message: 'is bad' }] } }, ['a.0: is bad']],
    ['Zod in a message', { error: { message: '[{"path":["a"],"message":"no"}]' } }, ['a: no']],
    ['Zod flattened', { formErrors: [], fieldErrors: { key: ['is bad'] } }, ['key: is bad']],
    ['ajv', { errors: [{ instancePath: '/key', message: 'is bad' }] }, ['/key: is bad']],
    ['Joi', { error: { details: [{ message: 'is bad', path: ['key'] }] } }, ['key: is bad']],
    ['Mongoose', { errors: { key: { name: 'E', message: 'is bad' } } }, ['key: is bad']],
    ['JSON:API', { errors: [{ source: { pointer: '/key' }, title: 'is bad' }] }, ['/key: is bad']],
    ['RFC 9457', { errors: [{ pointer: '#/a', detail: 'is bad' }] }, ['#/a: is bad']],
    ['RFC 7807', { 'invalid-params': [{ name: 'a', reason: 'is bad' }] }, ['a: is bad']],
    ['Micronaut', { message: 'Bad Request', _embedded: { errors: [{ message: 'm' }] } }, ['m']],
    ['Symfony', { violations: [{ propertyPath: 'a', title: 'is bad' }] }, ['a: is bad']],
    [
      'Google',
      { error: { code: 400, message: 'The key is bad', status: 'X' } },
      ['The key is bad'],
    ],
    [
      'OAuth',
      { error: 'invalid_grant', error_description: 'It ended.' },
      ['It ended.', 'invalid_grant'],
    ],
    ['a description', { code: 1, description: 'It ended.' }, ['It ended.']],
    ['a reason', { reason: 'It ended.' }, ['It ended.']],
    ['Phoenix', { errors: { detail: 'Bad Request' } }, []],
    [
      'a detail that begins like a status',
      { detail: '400 of 900 (400) failed.' },
      ['400 of 900 (400) failed.'],
    ],
    [
      'a detail of one word',
      { title: 'A title.', detail: 'SCAN_NOT_FOUND' },
      ['SCAN_NOT_FOUND', 'A title.'],
    ],
    ['a detail about a tag', { detail: '<bom> is missing.' }, ['<bom> is missing.']],
    [
      'a detail that quotes a value',
      { title: 'T.', detail: "{'name': 'x'} is not valid under any schema" },
      ["{'name': 'x'} is not valid under any schema", 'T.'],
    ],
    ['a JSON text', '"The key is bad"', ['The key is bad']],
    ['a list of texts', ['Bad data.'], ['Bad data.']],
    ['texts that repeat', { message: 'It ended.', error: 'it ended' }, ['It ended.']],
    ['a page in a text', { message: '<html><b>It</b> ended.</html>' }, ['It ended.']],
    ['nothing known', { timestamp: '2026', path: '/v1', requestId: 'a b', links: {} }, []],
    ['blank and other values', { message: ' \n', detail: null, error: 7, errors: { a: [1] } }, []],
    ['indented text', '{\n  "message": "no such scan"\n}\n', ['no such scan']],
  ])('reads %s', (_, body, lines) => {
    expect(read(400, body)).toEqual(lines);
  });

  test.each(['{"message":"the da', '[{"message":"x', "{'error': 'x'}", '{"a":1}\n{"a":2}'])(
    'shows nothing of %j, which looks like JSON',
    (body) => {
      expect(read(400, body)).toEqual([]);
      expect(read(400, { message: body })).toEqual([]);
    },
  );
});

describe('readExplanation of a page', () => {
  test.each<[string, number, string, string, readonly string[]]>([
    ['nginx', 403, '<center><h1>403 Forbidden</h1></center><hr>nginx/1.22.1', '403 Forbidden', []],
    ['nginx, an old name', 504, '<h1>504 Gateway Time-out</h1>', '', ['Gateway Time-out']],
    [
      'HAProxy',
      504,
      '<h1>504 Gateway Time-out</h1>\nNo\nresponse.\n',
      '',
      ['No response.', 'Gateway Time-out'],
    ],
    ['a title', 404, '<h1>Oops</h1>', 'No such page at /v1', ['No such page at /v1']],
    ['Rails', 404, '<h1>x y</h1>', 'It doesn&#39;t exist (404)', ["It doesn't exist", 'x y']],
    [
      'Express',
      500,
      '<pre>Error: It ended<br> &nbsp; &nbsp;at f (/a.js:1)</pre>',
      'Error',
      ['Error: It ended'],
    ],
    ['a stack', 500, '<pre>E: It ended\n\tat f\n\tat g</pre>', '', ['E: It ended']],
    ['a stack in a block', 500, '<div>E: It\n  ended\n  at f\n  at g</div>', '', ['E: It ended']],
    [
      'Django',
      403,
      '<h1>Forbidden <small>(403)</small></h1><p>No&nbsp;cookie.</p>',
      '403 Forbidden',
      ['No cookie.'],
    ],
    [
      'Tomcat',
      409,
      '<p><b>Type</b> Status Report</p><p><b>Message</b> It ended.</p>',
      'HTTP Status 409 – Conflict',
      ['Message It ended.'],
    ],
    ['Tomcat, with the text in the title', 409, '', 'HTTP Status 409 – It ended.', ['It ended.']],
    [
      'Jetty',
      404,
      '<h2>HTTP ERROR 404 Not Found</h2><table><tr><th>URI:</th><td>/v1</td></tr><tr><th>CAUSED BY:</th></tr></table><a href="x">Powered by Jetty:// 12</a>',
      'Error 404 Not Found',
      [],
    ],
    [
      'Sinatra',
      500,
      '<h1>KeyError at /v1</h1><h2>it ended</h2>',
      'KeyError at /v1',
      ['KeyError at /v1', 'it ended'],
    ],
    ['Undertow', 404, '404 - Not Found', 'Error', []],
    [
      'Spring Boot',
      409,
      '<h1>Whitelabel Error Page</h1><p>This application has no explicit mapping for /error, so</p><div>Sun Nov 22 15:24:20 UTC 2026</div><div>There was an unexpected error (type=Conflict, status=409).</div><div>It ended.</div>',
      '',
      [
        'Whitelabel Error Page',
        'This application has no explicit mapping for /error, so',
        'Sun Nov 22 15:24:20 UTC 2026',
        'There was an unexpected error (type=Conflict, status=409).',
        'It ended.',
      ],
    ],
    [
      'IIS',
      403,
      '<h1>Server Error</h1><h2>403 - Forbidden: Access is denied.</h2>',
      '403 - Forbidden: Access is denied.',
      ['Access is denied.'],
    ],
    [
      'IIS with a substatus',
      403,
      '',
      '403.7 - Client certificate required.',
      ['Client certificate required.'],
    ],
    [
      'http.sys',
      400,
      '<h2>Bad Request - Invalid Hostname</h2>',
      'Bad Request',
      ['Invalid Hostname'],
    ],
    [
      'Apache',
      400,
      '<p>Not understood.<br />\nReason: Plain HTTP to a TLS port.<br />\n Instead</p>',
      '400 Bad Request',
      ['Not understood.', 'Reason: Plain HTTP to a TLS port.', 'Instead'],
    ],
    [
      'Apache as a proxy',
      502,
      '<p>It sent nothing.<p>Reason: <strong>Error reading</strong></p>',
      '502 Proxy Error',
      ['It sent nothing.', 'Reason: Error reading', 'Proxy Error'],
    ],
    [
      'squid',
      503,
      '<h1>ERROR</h1><p>The following error was encountered while</p><p><b>It failed.</b></p><p>The system returned: <i>(111) Refused</i></p>',
      'ERROR: The requested URL could not be retrieved',
      [
        'ERROR: The requested URL could not be retrieved',
        'The following error was encountered while',
        'It failed.',
        'The system returned: (111) Refused',
      ],
    ],
    [
      'Varnish',
      503,
      '<h1>Error 503 Fetch failed</h1><h3>Guru Meditation:</h3><p>XID: 7</p>',
      '503 Fetch failed',
      ['Fetch failed'],
    ],
    [
      'Cloudflare',
      502,
      '<h1><span>Bad gateway</span> <span>Error code 502</span></h1><div>Visit <a href="/">cloudflare.com</a> for more</div><h2>What happened?</h2><p>It sent nothing.</p>',
      'scans.example | 502: Bad gateway',
      [
        'scans.example | 502: Bad gateway',
        'Visit cloudflare.com for more',
        'What happened?',
        'It sent nothing.',
      ],
    ],
    [
      'Akamai',
      403,
      'No permission for "http&#58;&#47;&#47;a".',
      'Access Denied',
      ['Access Denied', 'No permission for "http://a".'],
    ],
    [
      'Google',
      404,
      '<p><b>404.</b> <ins>That’s an error.</ins><p>The URL <code>/v1</code> was not found.',
      'Error 404 (Not Found)!!1',
      ['That’s an error.', 'The URL /v1 was not found.'],
    ],
    [
      'Imperva',
      403,
      '<script>a("<p>x y</p>")</script><iframe src="a">Incident ID: 8</iframe>',
      '',
      ['Incident ID: 8'],
    ],
    [
      'Azure',
      502,
      '<hr><center>Microsoft-Azure-Application-Gateway/v2</center>',
      '502 Bad Gateway',
      [],
    ],
    [
      'comments, styles and hints',
      409,
      '<!-- a b --><style>a b</style><noscript>a b</noscript>It ended. 3 < 4',
      '',
      ['It ended. 3 < 4'],
    ],
    [
      'quotes and unknown names',
      409,
      '&ldquo;It&rdquo; &amp; &#x1F600;&hellip; &foo; ended',
      '',
      ['“It” & 😀… &foo; ended'],
    ],
  ])('reads %s', (_, status, body, title, lines) => {
    expect(readPage(status, body, title)).toEqual(lines);
  });

  test('reads XML, and text that is declared as HTML', () => {
    const xml =
      '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>It ended.</Message></Error>';
    expect(read(403, xml)).toEqual(['It ended.', 'AccessDenied']);
    expect(read(404, 'No such scan.\nmore', HTML)).toEqual(['No such scan.', 'more']);
    expect(read(404, { message: 'No <b>such</b> scan' }, HTML)).toEqual(['No <b>such</b> scan']);
  });

  test('reads at most six lines, sentences first, until one that introduces something', () => {
    expect(readPage(404, '<p>a b<p>c d<p>Login<p>e f<p>g h<p>i j<p>k l')).toEqual([
      'a b',
      'c d',
      'e f',
      'g h',
      'i j',
      'Login',
    ]);
    expect(readPage(404, '<p>a b<p>Try this:<pre>c d</pre>')).toEqual(['a b']);
  });
});

describe('readExplanation of text', () => {
  test.each<[number, string, readonly string[]]>([
    [400, '', []],
    [400, ' \r\n ', []],
    [400, 'Bad Request\nThis port requires TLS.\n', ['This port requires TLS.']],
    [400, '\u001b[31m\u200b\nInvalid\u202e key', ['Invalid key']],
    [400, '400: Missing part', ['Missing part']],
    [404, 'HTTP ERROR 404 Not Found\nURI: /v1\nSTATUS: 404\nMESSAGE: Not Found\n', ['URI: /v1']],
    [400, 'a b\nc d\ne f\ng h\ni j\nk l\nm n', ['a b', 'c d', 'e f', 'g h', 'i j', 'k l']],
    [403, 'Forbidden: by a rule', ['by a rule']],
    [403, 'Forbidden by a rule', ['Forbidden by a rule']],
    [403, 'error code: 1020', ['error code: 1020']],
    [404, '404 page not found\n', ['page not found']],
    [524, 'error code: 524', []],
    [
      500,
      'Traceback (most recent call last):\n  File "a.py"\n    x()\nValueError: It ended',
      ['ValueError: It ended'],
    ],
  ])('reads for a %i the lines of %j that say more', (status, body, lines) => {
    expect(read(status, body)).toEqual(lines);
  });

  test.each([
    [401, ['It ended.']],
    [403, ['It ended.']],
    [400, []],
  ])('reads the challenge of a %i', (status, lines) => {
    const challenge = 'Bearer error="x", error_description="It ended.", error_uri="y"';
    expect(read(status, '', { 'www-authenticate': challenge })).toEqual(lines);
  });
});

describe('readExplanation of a hostile body', () => {
  const PIECES =
    '<title|<p>|<p>x y |<!--|<script>|<a "|<a \'"|&#|\n| |\n at |Reason:|<br>at |{"a":|[|{"errors":[|HTTP 400 ';

  test('takes linear time for one that repeats a piece', () => {
    const fixed = "status: 400, headers: { 'content-type': 'text/html' }, complete: true";
    const fill = 'piece.repeat(65536).slice(0, 65536)';
    const response = `m.readResponse({ ${fixed}, text: ${fill}, url: new URL('http://a') })`;
    const pieces = JSON.stringify(PIECES.split('|'));
    const isLong = `(piece) => ${response}.says.join().length > 7000`;
    expect(evaluate('service/response.ts', `${pieces}.filter(${isLong})`)).toBe('');
  });

  test.each(['{"errors":[DEEP]}', '{"errors":{"a":DEEP}}', '{"a":DEEP}', 'DEEP'])(
    'reads %s with 30,000 lists in each other',
    (form) => {
      const body = form.replace('DEEP', `${'['.repeat(3e4)}"x"${']'.repeat(3e4)}`);
      expect(read(400, body)).toEqual([]);
    },
  );

  test('cuts the name of a field after 200 characters', () => {
    const name = 'n'.repeat(300);
    for (const errors of [{ [name]: ['is bad'] }, [{ field: name, message: 'is bad' }]]) {
      expect(read(400, { errors })).toEqual([`${'n'.repeat(198)} …: is bad`]);
    }
  });

  test('reads at most 100 texts', () => {
    expect(
      read(400, { errors: Array.from({ length: 5e3 }, (_, index) => `is ${index}`) }),
    ).toHaveLength(100);
  });
});
