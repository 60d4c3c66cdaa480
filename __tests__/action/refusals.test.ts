import { describe, expect, test } from '@jest/globals';
import type { ScriptedResponse } from '../../local/service/index.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { openServer } from '../support/raw-server.ts';
import { openService } from '../support/service.ts';
import { findLines } from '../support/report.ts';

// What is read of a response, and the words of a refusal, are tested in __tests__/service and __tests__/report.

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
  expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'rejected' });
  expect(service.requests).toHaveLength(1);
  expect(service.uploads).toEqual([]);
  return run;
}

describe('a refusal', () => {
  test('is shown with its detail first, then its errors, then what to do, and trace ids last', async () => {
    const run = await refuseWith({ status: 400, body: JSON.stringify(PROBLEM) });
    const [{ title, message } = { title: '', message: '' }, ...others] = run.annotations;
    expect([title, others]).toEqual(['Scan upload rejected (400)', []]);
    const lines = message.split('\n');
    const [detail, ...errors] = [
      'No scan has this key.',
      'ScanKey: is not known',
      'ScanKey: is too old',
      'The form is incomplete.',
    ];
    expect(lines.slice(0, 5)).toEqual([detail, ...errors, 'Unknown scan']);
    expect(lines[5]).toContain('`scan-key`');
    expect(lines[6]).toContain('00-abc-def-01');
    expect(lines.at(-1)).toMatch(/[0-9a-f]{32}$/);
    expect(run.outputs).toMatchObject({ 'status-code': '400', reason: 'problem', error: detail });
    expect(JSON.parse(run.outputs['problem-details'] ?? '')).toEqual(PROBLEM);
    expect(findLines(run.summary, detail ?? '')).not.toEqual([]);
  });

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
