import { describe, expect, test } from '@jest/globals';
import type { ScriptedResponse } from '../../local/service/index.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { openServer } from '../support/raw-server.ts';
import { openService } from '../support/service.ts';

// What is read of a response, and the words of a refusal, are tested in __tests__/service and __tests__/report.

async function refuseWith(response: ScriptedResponse): ReturnType<typeof runAction> {
  const service = await openService({ token: TOKEN, responses: [response] });
  const run = await runAction(await makeWorkspace(), { 'base-url': service.url, retries: '0' });
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'rejected' });
  expect(service.requests).toHaveLength(1);
  expect(service.uploads).toEqual([]);
  return run;
}

describe('a refusal', () => {
  test('before a large body is sent is reported with the file sizes', async () => {
    const service = await openService({ token: TOKEN, maxBodyBytes: 2_000_000 });
    const large = { 'scan.json': `["${'x'.repeat(3_000_000)}"]` };
    const run = await runAction(await makeWorkspace(large), { 'base-url': service.url });
    expect(run.outputs['status-code']).toBe('400');
    expect(run.annotations[0]?.message).toContain('scan.json (2.9 MiB)');
    expect(service.requests).toMatchObject([{ status: 400, bodyBytes: 0 }]);
  });
});

describe('a redirect', () => {
  test('is not followed, and the annotation names the base-url to use', async () => {
    const target = await openServer(({ socket }) => socket.destroy());
    const location = `${target.origin}/new/v1/scanner/upload-file`;
    const run = await refuseWith({ status: 308, headers: { Location: location } });
    expect(run.outputs).toMatchObject({ reason: 'redirect', 'status-code': '308' });
    expect(run.annotations[0]?.message).toContain(`\`base-url\` to ${target.origin}/new.\n`);
    expect(target.connections()).toBe(0);
  });

  test('is reported if its target begins with a secret', async () => {
    const response = { status: 302, headers: { Location: '/login' } };
    const { url, requests } = await openService({ token: TOKEN, responses: [response] });
    const inputs = { 'base-url': url, headers: `X-Auth-Audience: ${url}` };
    const run = await runAction(await makeWorkspace(), inputs);
    expect(run.outputs).toMatchObject({ result: 'rejected', reason: 'redirect' });
    expect(requests).toHaveLength(1);
  });
});
