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

async function refuseWith(response: ScriptedAnswer): ReturnType<typeof runAction> {
  const service = await openService({ token: TOKEN, answers: [response] });
  const run = await runAction(await makeWorkspace(), { 'base-url': service.url, retries: '0' });
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ uploaded: 'false', attempts: '1' });
  expect(service.uploads).toEqual([]);
  return run;
}

describe('a problem of the service', () => {
  test.each(['application/problem+json', 'text/plain; charset=utf-8'])(
    'is decoded from %s',
    async (contentType) => {
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
    },
  );
});

describe('a response without a problem', () => {
  test('a 401 without a body is reported by its challenge', async () => {
    const service = await openService({ token: 'another-token' });
    const run = await runAction(await makeWorkspace(), { 'base-url': service.url });
    expect(run.annotations[0]?.title).toBe('Scan upload rejected (401)');
    expect(run.annotations[0]?.message).toMatch(/^HTTP 401 Unauthorized\n.*token/s);
    expect(run.annotations[0]?.message).toContain('token-header');
  });
});

describe('a refusal before a large body', () => {
  const large = { 'scan.json': `["${'x'.repeat(3_000_000)}"]` };

  test('a 400 for a body too large is reported with the sizes, and the body is not sent', async () => {
    const service = await openService({ token: TOKEN, maxBodyBytes: 2_000_000 });
    const run = await runAction(await makeWorkspace(large), { 'base-url': service.url });
    expect(run.outputs['status-code']).toBe('400');
    expect(run.annotations[0]?.message).toContain('Request body too large');
    expect(run.annotations[0]?.message).toContain('scan.json (2.9 MiB)');
    expect(service.requests).toMatchObject([{ status: 400, bodyBytes: 0 }]);
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
