import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { describeLinks, describePosix } from '../support/files.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { startProxy } from '../support/proxy.ts';
import { listen, openServer } from '../support/raw-server.ts';
import { SBOM, REPORT } from '../support/samples.ts';
import { openService } from '../support/service.ts';

describe('auth: oidc', () => {
  const minted = 'minted.identity.token-0815';

  async function startIdentityProvider(): Promise<{ url: string; asked: string[] }> {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.headers.authorization} ${request.url}`);
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ value: minted }));
    });
    return { url: `http://127.0.0.1:${await listen(server)}/token?v=1`, asked };
  }

  test.each([
    ['the origin of base-url', {}, (url: string) => new URL(url).origin],
    ['oidc-audience', { 'oidc-audience': 'scans' }, () => 'scans'],
  ])('sends the OIDC token of the job, with %s as its audience', async (_, extra, audience) => {
    const provider = await startIdentityProvider();
    const service = await openService({ token: minted, prefix: '/tenant' });
    const run = await runAction(
      await makeWorkspace(),
      { 'base-url': service.url, auth: 'oidc', token: '', ...extra },
      {
        env: {
          ACTIONS_ID_TOKEN_REQUEST_URL: provider.url,
          ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token',
        },
      },
    );
    expect(run.outputs.uploaded).toBe('true');
    const expected = encodeURIComponent(audience(service.url));
    expect(provider.asked).toEqual([`Bearer request-token /token?v=1&audience=${expected}`]);
    expect(run.masks).toContain(minted);
  });

  test('asks for the OIDC token through its own proxy, whose password is masked', async () => {
    const provider = await startIdentityProvider();
    const service = await openService({ token: minted });
    const proxy = await startProxy(Number(new URL(provider.url).port));
    const run = await runAction(
      await makeWorkspace(),
      { 'base-url': service.url, auth: 'oidc', token: '' },
      {
        env: {
          http_proxy: `http://user:pass-word%40proxy@127.0.0.1:${proxy.port}`,
          ACTIONS_ID_TOKEN_REQUEST_URL: 'http://idp.example/token?v=1',
          ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token',
        },
      },
    );
    expect(run.outputs.uploaded).toBe('true');
    expect(proxy.targets).toEqual(['idp.example:80']);
    expect(proxy.credentials).toEqual([`Basic ${btoa('user:pass-word@proxy')}`]);
    const secrets = ['request-token', 'pass-word%40proxy', 'pass-word@proxy'];
    expect(run.masks).toEqual(expect.arrayContaining(secrets));
  });
});

describe('headers', () => {
  test('are masked if their names say that they are credentials; a notice lists those too short to mask', async () => {
    const service = await openService({ token: TOKEN });
    const headers = [
      'X-Api-Key: key-of-8-or-more',
      'X-Basic-Auth: Basic c2VjcmV0LWJhc2lj',
      'X-Session: short',
      'X-Repo: octo/hello-world',
      'Idempotency-Key: run-4711-attempt-1',
      'X-Debug: true',
    ].join('\n');
    const run = await runAction(await makeWorkspace(), { 'base-url': service.url, headers });
    expect(run.masks.toSorted()).toEqual(
      [TOKEN, 'key-of-8-or-more', 'Basic c2VjcmV0LWJhc2lj', 'c2VjcmV0LWJhc2lj'].toSorted(),
    );
    expect(run.annotations).toEqual([
      {
        level: 'notice',
        title: 'Scan upload (headers)',
        message: '`headers`: these values are too short to be masked in the log: X-Session',
      },
    ]);
    expect(run.outputs.uploaded).toBe('true');
  });

  test('are removed from texts if their names contain a word for credentials, and shown otherwise', async () => {
    const detail = 'Project payments-api is archived: key-of-8-or-more, k3y-hidden';
    const body = JSON.stringify({ detail });
    const service = await openService({ token: TOKEN, responses: [{ status: 400, body }] });
    const headers =
      'X-Project: payments-api\nX-Api-Key: key-of-8-or-more\nX-ApiKey: k3y-hidden\nX-AuthToken: scan-hidden';
    const files = { 'scan-hidden.json': REPORT };
    const run = await runAction(await makeWorkspace(files), {
      'base-url': service.url,
      files: '*.json',
      headers,
    });
    expect(run.masks.toSorted()).toEqual([TOKEN, 'key-of-8-or-more'].toSorted());
    expect(run.outputs.error).toBe('Project payments-api is archived: ***, ***');
    const texts = [run.log, run.summary, ...Object.values(run.outputs)].join('\n');
    for (const hidden of ['key-of-8-or-more', 'k3y-hidden', 'scan-hidden']) {
      expect(texts).not.toContain(hidden);
    }
  });
});

describe('include-hidden-files', () => {
  const files = { '.scans/a.json': REPORT, 'b/.hidden.json': REPORT };
  test.each([
    ['**/*.json', 'false', undefined],
    ['b/*.json', 'true', '.hidden.json'],
    ['b/.hidden.json', 'false', '.hidden.json'],
  ])('the pattern %s with the value %s finds %s', async (pattern, include, name) => {
    const service = await openService({ token: TOKEN });
    const run = await runAction(await makeWorkspace(files), {
      'base-url': service.url,
      files: pattern,
      'include-hidden-files': include,
    });
    expect(run.outputs.uploaded).toBe(String(name !== undefined));
    expect(service.uploads.map((upload) => upload.parts[0]?.filename)).toEqual(
      name === undefined ? [] : [name],
    );
  });
});

describe('content-check', () => {
  const cut = SBOM.slice(0, -2);
  const pair = { 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'report.json' };
  test.each([
    ['error', false, ['error']],
    ['warn', true, ['warning', 'warning']],
    ['off', true, []],
  ])('%s uploads a truncated and an empty file: %s', async (strictness, uploaded, levels) => {
    const service = await openService({ token: TOKEN });
    const workspace = await makeWorkspace({ 'bom.json': cut, 'report.json': '' });
    const inputs = { 'base-url': service.url, 'content-check': strictness, ...pair };
    const run = await runAction(workspace, inputs);
    expect(run.outputs.uploaded).toBe(String(uploaded));
    expect(service.uploads).toHaveLength(uploaded ? 1 : 0);
    expect(run.annotations.map(({ level }) => level)).toEqual(levels);
    const text = run.annotations.map(({ message }) => message).join('\n');
    expect(text).toMatch(
      levels.length === 0
        ? /^$/
        : /DependenciesCDX 'bom.json' is truncated.*VulnerabilitiesTool 'report.json' is empty/s,
    );
  });

  test('error uploads an SBOM that is not recognised, with a warning', async () => {
    const service = await openService({ token: TOKEN });
    const workspace = await makeWorkspace({
      'bom.json': '{"spdxVersion":"SPDX-2.3"}',
      'report.json': REPORT,
    });
    const run = await runAction(workspace, { 'base-url': service.url, ...pair });
    expect(run.outputs.uploaded).toBe('true');
    expect(run.annotations).toMatchObject(
      [{ level: 'warning', message: /not recognised/ }].map(({ level, message }) => ({
        level,
        message: expect.stringMatching(message),
      })),
    );
  });
});

describePosix('a FIFO that nobody writes to', () => {
  test.each(['ca-cert', 'scan-file'])('does not block the step as %s', async (input) => {
    const service = await openService({ token: TOKEN });
    const workspace = await makeWorkspace();
    execFileSync('mkfifo', [join(workspace, 'fifo.pem')]);
    const inputsWithFifo = { 'base-url': service.url, [input]: 'fifo.pem' };
    const run = await runAction(workspace, inputsWithFifo, { timeoutMs: 20_000 });
    expect(run.timedOut).toBe(false);
    expect(run.outputs.uploaded).toBe('false');
    expect(run.log).toContain('not a regular file');
  });
});

describeLinks('a link to a hidden file', () => {
  test.each(['.git/config', '.env'])('is not uploaded: %s', async (hidden) => {
    const server = await openServer(({ socket }) => socket.destroy());
    const workspace = await makeWorkspace({ [hidden]: REPORT });
    symlinkSync(hidden, join(workspace, 'scan.json'));
    const run = await runAction(workspace, { 'base-url': server.origin });
    expect(run.exitCode).toBe(1);
    expect(run.annotations[0]?.message).toMatch(/is a link to the hidden/);
    expect(server.connections()).toBe(0);
  });
});
