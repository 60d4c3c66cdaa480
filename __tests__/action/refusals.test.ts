import { describe, expect, test } from '@jest/globals';
import type { ScriptedAnswer } from '../../local/service/index.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { openServer } from '../support/raw-server.ts';
import { openService } from '../support/service.ts';

const PROBLEM = {
  type: 'https://example.org/unknown-scan',
  title: 'Unknown scan',
  status: 400,
  detail: 'No scan has this key.',
  instance: '/v1/scanner/upload-file',
  traceId: '00-abc-def-01',
  errors: { ScanKey: ['is not known', 'is too old'], '': ['The form is incomplete.'] },
};

async function refuseWith(answer: ScriptedAnswer): ReturnType<typeof runAction> {
  const service = await openService({ token: TOKEN, answers: [answer] });
  const run = await runAction(await makeWorkspace(), { 'base-url': service.url, retries: '0' });
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ uploaded: 'false', attempts: '1' });
  expect(service.uploads).toEqual([]);
  return run;
}

describe('a problem of the service', () => {
  test.each([
    'application/problem+json',
    'application/problem+json; charset=utf-8',
    'application/json',
    'text/json',
    'text/plain',
    'text/plain; charset=utf-8',
  ])('is decoded from %s', async (contentType) => {
    const run = await refuseWith({ status: 400, contentType, body: JSON.stringify(PROBLEM) });
    expect(run.annotations).toEqual([
      {
        level: 'error',
        title: 'Scan upload rejected (400)',
        message: expect.stringMatching(
          /^No scan has this key\.\nUnknown scan\nScanKey: is not known\nScanKey: is too old\nThe form is incomplete\.\nTrace id of the service: 00-abc-def-01\n/,
        ),
      },
    ]);
    expect(run.outputs).toMatchObject({
      result: 'rejected',
      'status-code': '400',
      error: 'No scan has this key.',
    });
    expect(JSON.parse(run.outputs['problem-details'] ?? '')).toEqual(PROBLEM);
    expect(run.summary).toContain('No scan has this key.');
  });

  test('without a detail is told by its title and its errors', async () => {
    const body = JSON.stringify({
      title: 'Invalid.',
      detail: null,
      errors: { ScanKey: ['is bad'] },
    });
    const run = await refuseWith({ status: 400, contentType: 'application/json', body });
    expect(run.outputs.error).toBe('Invalid. ScanKey: is bad');
  });

  test('with nothing in it is told by the status', async () => {
    const body = JSON.stringify({ type: null, title: null, status: null, detail: null });
    const run = await refuseWith({ status: 422, contentType: 'text/plain', body });
    expect(run.outputs.error).toMatch(/^HTTP 422 Unprocessable Entity/);
    expect(JSON.parse(run.outputs['problem-details'] ?? '')).toEqual(JSON.parse(body));
  });
});

describe('an answer that is no problem', () => {
  test.each<[string, ScriptedAnswer, string]>([
    ['nothing', { status: 403 }, 'HTTP 403 Forbidden'],
    [
      'plain words',
      { status: 400, body: '\n  Bad form.\nMore.' },
      'HTTP 400 Bad Request: Bad form.',
    ],
    [
      'a web page',
      {
        status: 403,
        contentType: 'text/html',
        body: '<html><head><title>Access\n denied</title></head><body>x</body></html>',
      },
      'HTTP 403 Forbidden: Access',
    ],
    [
      'a list',
      { status: 400, contentType: 'application/json', body: '[1]' },
      'HTTP 400 Bad Request: [1]',
    ],
    [
      'JSON of another kind',
      { status: 400, contentType: 'application/json', body: '{"message":"no"}' },
      'HTTP 400 Bad Request: {"message":"no"}',
    ],
  ])('%s is told by the status and its first line', async (_, answer, error) => {
    const run = await refuseWith(answer);
    expect(run.outputs.error).toBe(error);
    expect(run.outputs['problem-details']).toBe('');
  });

  test('members of wrong types are kept, but not taken at their word', async () => {
    const body = JSON.stringify({
      title: 7,
      status: 'bad',
      detail: ['no'],
      extra: { a: [1, null] },
    });
    const run = await refuseWith({ status: 400, contentType: 'application/problem+json', body });
    expect(run.outputs.error).toMatch(/^HTTP 400 Bad Request/);
    expect(run.outputs['problem-details']).toBe(body);
  });

  test('a 401 without a body is told by its challenge', async () => {
    const service = await openService({ token: 'another-token' });
    const run = await runAction(await makeWorkspace(), { 'base-url': service.url });
    expect(run.annotations[0]?.title).toBe('Scan upload rejected (401)');
    expect(run.annotations[0]?.message).toMatch(/^HTTP 401 Unauthorized\n.*token/s);
    expect(run.annotations[0]?.message).toContain('token-header');
  });
});

describe('a refusal before a large body', () => {
  const large = { 'scan.json': `["${'x'.repeat(3_000_000)}"]` };

  test('401: the status is what the user sees, and the body is not sent', async () => {
    const service = await openService({ token: 'another-token' });
    const run = await runAction(await makeWorkspace(large), { 'base-url': service.url });
    expect(run.outputs).toMatchObject({ result: 'rejected', 'status-code': '401', attempts: '1' });
    expect(service.requests).toMatchObject([{ status: 401, bodyBytes: 0 }]);
  });

  test('the 400 of a body too large: told with the sizes, and the body is not sent', async () => {
    const service = await openService({ token: TOKEN, maxBodyBytes: 2_000_000 });
    const run = await runAction(await makeWorkspace(large), { 'base-url': service.url });
    expect(run.outputs['status-code']).toBe('400');
    expect(run.annotations[0]?.message).toContain('Request body too large');
    expect(run.annotations[0]?.message).toContain('scan.json (2.9 MiB)');
    expect(service.requests).toMatchObject([{ status: 400, bodyBytes: 0 }]);
  });

  test('413 with a web page: told as too large, and the body is not sent', async () => {
    let received = 0;
    const server = await openServer(({ socket }) => {
      socket.on('data', (chunk) => (received += chunk.length));
      socket.once('data', () => {
        const page = '<html><title>413 Request Entity Too Large</title></html>';
        const head = `HTTP/1.1 413 Too Large\r\nServer: nginx\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\nConnection: close\r\n\r\n`;
        socket.end(head + page);
      });
    });
    const run = await runAction(await makeWorkspace(large), { 'base-url': server.origin });
    expect(run.outputs).toMatchObject({ result: 'rejected', 'status-code': '413', attempts: '1' });
    expect(run.annotations[0]?.message).toMatch(
      /413 Request Entity Too Large.*server: nginx.*too large/s,
    );
    expect(received).toBeLessThan(2000);
  });
});

describe('a redirect', () => {
  test('is not followed and names the base-url to use', async () => {
    const target = await openServer(({ socket }) => socket.destroy());
    const location = `${target.origin}/new/v1/scanner/upload-file`;
    const run = await refuseWith({ status: 308, headers: { Location: location } });
    expect(run.outputs).toMatchObject({ result: 'rejected', 'status-code': '308' });
    expect(run.annotations[0]?.message).toContain(`${target.origin}/new\n`);
    expect(target.connections()).toBe(0);
  });
});

test('an accepted status with a web page is no acceptance', async () => {
  const run = await refuseWith({ status: 200, contentType: 'text/html', body: '<html>Log in' });
  expect(run.outputs).toMatchObject({ result: 'rejected', 'status-code': '200' });
});

test('what the service says is never a runner command, nor does it show the token', async () => {
  const detail = `::set-output name=uploaded::true\r\n  ::add-mask::x\n##[error]x\u001b[31m ${TOKEN}`;
  const body = JSON.stringify({ detail });
  const run = await refuseWith({ status: 400, contentType: 'application/json', body });
  const known = ['add-mask', 'debug', 'error'];
  expect(run.commands.filter(({ command }) => !known.includes(command))).toEqual([]);
  expect(run.masks).toEqual([TOKEN]);
  expect(run.annotations).toHaveLength(1);
  // A later step may print the output.
  expect(run.outputs.error).not.toMatch(/^\s*::|##\[/);
  const unmasked = run.stdout.split('\n').filter((line) => !line.startsWith('::add-mask::'));
  const seen = `${unmasked.join('\n')}${run.stderr}${run.summary}${JSON.stringify(run.outputs)}`;
  expect(seen).not.toContain(TOKEN);
});
