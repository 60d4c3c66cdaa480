import { TLSSocket } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { describe, expect, jest, test } from '@jest/globals';
import { CancelledError, StepError } from '../../src/errors.ts';
import { clean, takeMasks } from '../../src/redaction/clean.ts';
import type { TlsMaterial } from '../../src/service/agent.ts';
import { recordNoCredential } from '../../src/service/attempt.ts';
import { makeAuthenticate } from '../../src/service/auth.ts';
import type { Authenticate, Credential, IdTokenSource } from '../../src/service/auth.ts';
import { makeCertificate, makeProxy, startProxy } from '../support/network.ts';
import { findClosedPort, openServer } from '../support/servers.ts';
import type { Script } from '../support/servers.ts';
import { setEnvironment, MIB, cleanUp } from '../support/workspace.ts';

const GOOD = '{"count":1,"value":"id.token"}';
const HEADERS = { 'X-Identity': 'Bearer id.token' };

/** An identity provider on loopback that responds with a body, or runs a script once it has a request's head. */
async function openProvider(act: string | Script, tls?: TlsOptions) {
  const script: Script = typeof act === 'string' ? (peer) => peer.reply(200, { body: act }) : act;
  const server = await openServer(async (peer, turn) => {
    await peer.readHead();
    await script(peer, turn);
  }, tls);
  const url = new URL('/token?v=a%20b', server.origin);
  const source: IdTokenSource = { url, token: 'request-token', proxy: undefined };
  return { server, source };
}

interface Setting {
  readonly audience?: string;
  readonly tls?: TlsMaterial;
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
}

/** What authenticates with tokens from `source`. */
function prepare(source: IdTokenSource | undefined, setting: Setting = {}): Authenticate {
  const { audience = 'scans', tls = {}, limitMs = 30_000 } = setting;
  const { signal = new AbortController().signal } = setting;
  const rest = { header: 'X-Identity', prefix: 'Bearer ', audience };
  return makeAuthenticate({ kind: 'oidc', ...rest, source }, tls, limitMs, signal);
}

/** The error without a token. */
async function failWith(source: IdTokenSource | undefined, setting?: Setting): Promise<StepError> {
  const error = await prepare(source, setting)().catch((thrown: unknown) => thrown);
  if (error instanceof StepError) return error;
  throw new Error(`No StepError: ${String(error)}`);
}

test('an attempt without a credential has sent nothing', () => {
  const error = new StepError('oidc-failed', 'none', []);
  expect(recordNoCredential(error)).toEqual({
    state: 'credential',
    sentBytes: 0,
    isSent: false,
    isCertificateRequested: false,
    digests: undefined,
    response: undefined,
    failure: { kind: 'step', error },
  });
});

test.each<[Credential, object]>([
  [{ kind: 'none' }, {}],
  [{ kind: 'token', header: 'X-Key', value: 'Key s3cret' }, { 'X-Key': 'Key s3cret' }],
])('sends it unchanged without an OIDC token: %j', async (credential, headers) => {
  const { signal } = new AbortController();
  const authenticate = makeAuthenticate(credential, {}, 1, signal);
  expect(await authenticate()).toStrictEqual(headers);
});

describe('an OIDC token', () => {
  test('is requested for the audience, and masked', async () => {
    const { source, server } = await openProvider(GOOD);
    expect(await prepare(source, { audience: 'a&b c' })()).toEqual(HEADERS);
    expect(takeMasks()).toEqual(['id.token']);
    expect(clean('id.token')).toBe('***');
    expect(server.peer.head[0]).toBe('GET /token?v=a%20b&audience=a%26b%20c HTTP/1.1');
    expect(server.peer.header('Authorization')).toBe('Bearer request-token');
    expect(server.peer.header('Accept')).toBe('application/json');
  });

  test('serves all attempts for a minute, and is requested again after a failure', async () => {
    let nowMs = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    cleanUp(() => clock.mockRestore());
    const { source } = await openProvider((peer, turn) =>
      peer.reply(turn === 1 ? 503 : 200, { body: `{"value":"${turn}"}` }),
    );
    const authenticate = prepare(source);
    const read = async (): Promise<unknown> => (await authenticate())['X-Identity'];
    await expect(read()).rejects.toMatchObject({ situation: 'oidc-failed' });
    expect(await Promise.all([read(), read()])).toEqual(['Bearer 2', 'Bearer 2']);
    nowMs = 59_999;
    expect(await read()).toBe('Bearer 2');
    nowMs = 60_000;
    expect(await read()).toBe('Bearer 3');
  });

  test('comes from a provider with a private CA, which gets no client certificate', async () => {
    const [own, client] = [await makeCertificate(), await makeCertificate()];
    const shown: unknown[] = [];
    const asking = { ...own, requestCert: true, rejectUnauthorized: false };
    const { source } = await openProvider((peer) => {
      if (peer.socket instanceof TLSSocket) shown.push(peer.socket.getPeerCertificate());
      peer.reply(200, { body: GOOD });
    }, asking);
    expect(await prepare(source, { tls: { ...client, ca: own.cert } })()).toEqual(HEADERS);
    expect(shown).toEqual([{}]);
  });

  test('comes through the proxy of its source', async () => {
    const { source, server } = await openProvider(GOOD);
    const proxy = await startProxy(server.port);
    const url = new URL('http://idp.example/token?v=1');
    expect(await prepare({ ...source, url, proxy: makeProxy(proxy.port) })()).toEqual(HEADERS);
    expect(proxy.requests).toMatchObject([{ url: 'idp.example:80' }]);
    const nobody = makeProxy(await findClosedPort());
    expect((await failWith({ ...source, url, proxy: nobody })).message).toMatch(/ECONNREFUSED/);
  });
});

describe('without an OIDC token', () => {
  test.each([
    [undefined, /^Give the job the permission `id-token: write`; /],
    ['true', /^Gitea has no OIDC tokens: use `token`\.$/],
  ])('reports a missing permission (GITEA_ACTIONS: %s)', async (gitea, fix) => {
    setEnvironment({ GITEA_ACTIONS: gitea });
    const { situation, message, fixes } = await failWith(undefined);
    expect(situation).toBe('oidc-permission');
    expect(message).toContain('ACTIONS_ID_TOKEN_REQUEST_URL');
    expect(fixes).toEqual([expect.stringMatching(fix)]);
  });

  test.each([204, 302])(
    'reports only the status of a response with %i, and follows nothing',
    async (status) => {
      const { source, server } = await openProvider((peer) => {
        const headers = { Location: `${server.origin}/elsewhere` };
        peer.replyAsStranger(status, { headers, body: 'their words' });
      });
      const message = `The OIDC token could not be fetched: the identity provider responded with ${status}`;
      const fixes = [expect.stringMatching(/^Re-run .* later\. On a runner of your own, /)];
      expect(await failWith(source)).toMatchObject({ situation: 'oidc-failed', message, fixes });
      expect(server.peers).toHaveLength(1);
    },
  );

  const TOO_LONG = `{"value":"${'a'.repeat(2 * MIB)}"}`;
  test.each(['their words', '[]', '{"value":""}', '{"value":"a\\nb"}', TOO_LONG])(
    'reports that %.20j has none',
    async (body) => {
      const { source } = await openProvider(body);
      expect((await failWith(source)).message).toMatch(/returned none that a header can carry$/);
    },
  );

  const ENDLESS = 'HTTP/1.1 200 OK\r\n\r\n{"value":';
  const LATE = /did not respond for 0\.3 s$/;
  test.each([
    ['a silent provider', '', LATE],
    ['another protocol', 'HTTP/1.1 101 S\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', LATE],
    ['a refusal that never ends', 'HTTP/1.1 403 Forbidden\r\n\r\ntheir words', /with 403$/],
    ['a truncated response', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"value"', /aborted/],
  ])('reports %s, and closes the connection', async (name, bytes, pattern) => {
    const { source, server } = await openProvider((peer) => {
      peer.send(bytes);
      if (name === 'a truncated response') peer.socket.end();
    });
    const limitMs = pattern === LATE ? 300 : 30_000;
    expect((await failWith(source, { limitMs })).message).toMatch(pattern);
    await server.peer.closed;
  });

  test.each([
    ['in an endless response', 'http', ENDLESS],
    ['at a silent proxy', 'https', ''],
  ])('ends with the reason of the signal %s', async (when, scheme, bytes) => {
    const controller = new AbortController();
    const reason = new CancelledError('SIGINT');
    const { source, server } = await openProvider((peer) => {
      peer.send(bytes);
      setImmediate(() => controller.abort(reason));
    });
    const proxy = when.includes('proxy') ? makeProxy(server.port) : undefined;
    const url = new URL(source.url.href.replace('http', scheme));
    const { signal } = controller;
    expect(await failWith({ ...source, url, proxy }, { signal })).toBe(reason);
    await server.peer.closed;
  });
});
