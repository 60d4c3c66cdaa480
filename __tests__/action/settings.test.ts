import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeCertificate } from '../support/network.ts';
import { listDeclared } from '../support/repository.ts';
import { makeWorkspace, preload, readResults, runAction, TOKEN } from '../support/run-action.ts';
import type { Peer } from '../support/servers.ts';
import { openServer, openService } from '../support/servers.ts';
import { makeFolder } from '../support/workspace.ts';

/** Runs the action against a server that accepts, and returns the request as it arrived. */
async function captureRequest(inputs: Readonly<Record<string, string>> = {}): Promise<Peer> {
  const server = await openServer(async (peer) => {
    await peer.readUpload();
    peer.reply(200);
  });
  const run = await runAction(await makeWorkspace(), { 'base-url': server.origin, ...inputs });
  expect(run.outputs.uploaded).toBe('true');
  const traceId = server.peer.header('traceparent')?.split('-')[1];
  expect(readResults(run)).toMatchObject([{ service: server.origin, traceId }]);
  return server.peer;
}

describe('headers', () => {
  test('are exactly those of an upload', async () => {
    const peer = await captureRequest();
    expect(peer.head[0]).toBe('POST /v1/scanner/upload-file HTTP/1.1');
    const names = peer.head.slice(1).map((line) => line.replace(/:.*/, '').toLowerCase());
    expect(names.toSorted().join(' ')).toBe(
      'accept accept-encoding authorization connection content-length content-type expect host traceparent user-agent',
    );
    expect(peer.header('authorization')).toBe(`Bearer ${TOKEN}`);
  });

  test('carry the token in another one, and the given ones, of which one may be Accept', async () => {
    const peer = await captureRequest({
      'token-header': 'X-Api-Key',
      'token-prefix': 'ApiKey',
      headers: 'X-Gateway: pass-it-on\nAccept: application/json\n',
    });
    expect(peer.header('authorization')).toBeUndefined();
    expect(peer.header('x-api-key')).toBe(`ApiKey ${TOKEN}`);
    expect(peer.header('x-gateway')).toBe('pass-it-on');
    expect(peer.header('accept')).toBe('application/json');
  });
});

describe('https', () => {
  test.each([
    'NODE_EXTRA_CA_CERTS',
    // On other systems no environment variable adds a CA to those of the system.
    ...(process.platform === 'linux' ? ['SSL_CERT_FILE'] : []),
  ])('trusts the CAs of %s in addition to ca-cert', async (variable) => {
    const [certificate, other] = [await makeCertificate(), await makeCertificate()];
    const service = await openService({ token: TOKEN, tls: certificate });
    const inputs = { 'base-url': service.url, 'ca-cert': other.cert };
    const directory = await makeFolder({ 'ca.pem': certificate.cert });
    const env = { [variable]: join(directory, 'ca.pem') };
    const run = await runAction(await makeWorkspace(), inputs, { env });
    expect(run.outputs).toMatchObject({ uploaded: 'true' });
  });
});

/** Prints the variable of each input that the action reads. */
const REPORT_READS = preload(`
  const get = (env, name) => {
    if (String(name).startsWith('INPUT_')) console.error(name);
    return env[name];
  };
  process.env = new Proxy(process.env, { get });`);

test('action.yml has every input that the action reads, and no other', async () => {
  const inputs = { auth: 'oidc', 'base-url': 'https://host.example', 'dry-run': 'true' };
  const { stderr } = await runAction(await makeWorkspace(), inputs, { env: REPORT_READS });
  const read = new Set(Array.from(stderr.matchAll(/^INPUT_(.+)$/gm), ([, name = '']) => name));
  expect([...read].map((name) => name.toLowerCase()).toSorted()).toEqual(listDeclared('inputs'));
});
