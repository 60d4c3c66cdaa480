import { describe, expect, test } from '@jest/globals';
import type { ScriptedResponse } from '../../local/service/index.ts';
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

async function refuseWith(response: ScriptedResponse): ReturnType<typeof runAction> {
  const service = await openService({ token: TOKEN, responses: [response] });
  const run = await runAction(await makeWorkspace(), { 'base-url': service.url, retries: '0' });
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ uploaded: 'false', attempts: '1' });
  expect(service.uploads).toEqual([]);
  return run;
}

describe('problem details of the service', () => {
  test.each(['application/problem+json', 'text/plain; charset=utf-8'])(
    'are decoded from %s',
    async (contentType) => {
      const run = await refuseWith({ status: 400, contentType, body: JSON.stringify(PROBLEM) });
      expect(run.annotations).toEqual([
        {
          level: 'error',
          title: 'Scan upload rejected (400)',
          message: expect.stringMatching(
            /^No scan has this key\.\nScanKey: is not known\nScanKey: is too old\nThe form is incomplete\.\nUnknown scan\nCheck `scan-key`.*\nTrace id of the service: 00-abc-def-01\n/,
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
    },
  );
});

describe('the annotation of a rejected upload', () => {
  test('shows first why the token was rejected, and trace ids last', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const run = await refuseWith({
      status: 401,
      contentType: 'application/problem+json',
      headers: { 'WWW-Authenticate': 'Bearer error_description="The token expired"' },
      body: JSON.stringify({ title: 'Unauthorized', status: 401, traceId: trace }),
    });
    const lines = run.annotations[0]?.message.split('\n') ?? [];
    expect(lines[0]).toBe('HTTP 401 Unauthorized: The token expired');
    expect(lines[1]).toMatch(/^Check `token`/);
    expect(lines[2]).toBe(`Trace id of the service: ${trace}`);
    expect(lines[3]).toMatch(/^Trace id of the requests: [0-9a-f]{32}$/);
    expect(run.outputs.error).toBe('HTTP 401 Unauthorized: The token expired');
  });

  test('shows first the reason, and only one trace id if the service’s contains the one that was sent', async () => {
    const service = await openService({ token: TOKEN, scanKeys: [] });
    const run = await runAction(await makeWorkspace(), { 'base-url': service.url });
    expect(run.annotations[0]?.message).toMatch(/^There is no scan with the key [^]*Trace id of/);
    expect(run.annotations[0]?.message.match(/Trace id/g)).toHaveLength(1);
  });

  test.each([
    ['of the service', PROBLEM, /^No scan has this key\..*Check `scan-key`\./s],
    [
      'of a framework',
      { type: 'https://tools.ietf.org/html/rfc9110#section-15.5.5', title: 'Not Found' },
      /The service returned 404 for http.*: check `base-url` and `scan-key`\./,
    ],
  ])('says what to check for a 404 with problem details %s', async (_, problem, message) => {
    const body = JSON.stringify({ ...problem, status: 404 });
    const run = await refuseWith({ status: 404, contentType: 'application/problem+json', body });
    expect(run.annotations[0]?.message).toMatch(message);
  });

  test('shows the field errors before a generic title', async () => {
    const title = 'One or more validation errors occurred.';
    const errors = { ScanKey: ['The value is not valid.'] };
    const run = await refuseWith({ status: 400, body: JSON.stringify({ title, errors }) });
    expect(run.annotations[0]?.message).toMatch(
      /^ScanKey: The value is not valid\.\nOne or more validation errors occurred\./,
    );
  });
});

describe('a 401 without a body', () => {
  test('is reported with the description in its challenge', async () => {
    const service = await openService({ token: 'another-token' });
    const run = await runAction(await makeWorkspace(), { 'base-url': service.url });
    expect(run.annotations[0]?.title).toBe('Scan upload rejected (401)');
    expect(run.annotations[0]?.message).toMatch(
      /^HTTP 401 Unauthorized: The token is not valid\nCheck `token`/,
    );
    expect(run.annotations[0]?.message).toContain('token-header');
    expect(run.summary).toContain('After changing a secret or a variable, re-run the failed jobs.');
  });
});

describe('a 400 before a large body is sent', () => {
  const large = { 'scan.json': `["${'x'.repeat(3_000_000)}"]` };

  test('is reported with the file sizes, and the body is not sent', async () => {
    const service = await openService({ token: TOKEN, maxBodyBytes: 2_000_000 });
    const run = await runAction(await makeWorkspace(large), { 'base-url': service.url });
    expect(run.outputs['status-code']).toBe('400');
    expect(run.annotations[0]?.message).toContain('Request body too large');
    expect(run.annotations[0]?.message).toContain('scan.json (2.9 MiB)');
    expect(service.requests).toMatchObject([{ status: 400, bodyBytes: 0 }]);
  });
});

describe('a redirect', () => {
  test('is not followed, and the annotation names the base-url to use', async () => {
    const target = await openServer(({ socket }) => socket.destroy());
    const location = `${target.origin}/new/v1/scanner/upload-file`;
    const run = await refuseWith({ status: 308, headers: { Location: location } });
    expect(run.outputs).toMatchObject({ result: 'rejected', 'status-code': '308' });
    expect(run.annotations[0]?.message).toContain(`set \`base-url\` to ${target.origin}/new.\n`);
    expect(target.connections()).toBe(0);
  });

  test('is reported if its target begins with a secret', async () => {
    const response = { status: 302, headers: { Location: '/login' } };
    const { url } = await openService({ token: TOKEN, responses: [response] });
    const inputs = { 'base-url': url, headers: `X-Auth-Audience: ${url}` };
    const run = await runAction(await makeWorkspace(), inputs);
    expect(run.outputs).toMatchObject({ result: 'rejected', reason: 'redirect', attempts: '1' });
  });
});
