import { hostileReply } from '../harness/hostile.ts';
import type { Peer } from '../../support/peer.ts';
import type { Scene } from '../harness/scene.ts';
import type { FaultCase, Transport } from '../harness/types.ts';
import { STALL } from './limits.ts';
import { ACCEPTED, afterUpload } from '../harness/serve.ts';

const ports = new WeakMap<Scene, number>();

/** A step with `auth: oidc`, and an endpoint that returns the OIDC token. */
function withEndpoint(
  variant: string,
  endpoint: (peer: Peer, scene: Scene) => Promise<void> | void,
  rest: Pick<FaultCase, 'expected'> & Partial<FaultCase>,
): FaultCase {
  return {
    row: 'F32',
    variant,
    secrets: { identity: true },
    transports: ['http'],
    prepare: async (scene) => {
      const { port } = await scene.listen((peer) => endpoint(peer, scene));
      ports.set(scene, port);
    },
    env: (scene) => ({
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${ports.get(scene) ?? 0}/token?api=1`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: scene.secrets.idRequest.value,
    }),
    ...rest,
    inputs: (scene) => ({ auth: 'oidc', ...rest.inputs?.(scene) }),
  };
}

async function giveToken(peer: Peer, { secrets }: Scene): Promise<void> {
  await peer.readHead();
  sendJson(peer, { value: secrets.idToken.value });
}

function sendJson(peer: Peer, value: unknown): void {
  const headers = { 'Content-Type': 'application/json' };
  peer.reply(200, { headers, body: JSON.stringify(value) });
}

const FAILED: FaultCase['expected'] = {
  result: 'not-sent',
  status: '',
  attempts: '1',
  says: /OIDC token|identity provider/,
  connections: 0,
};
const BOTH: readonly Transport[] = ['http', 'https'];

/** F32: where the OIDC token comes from. */
export const IDENTITY: readonly FaultCase[] = [
  withEndpoint('the endpoint returns an OIDC token, and the upload is accepted', giveToken, {
    transports: BOTH,
    expected: ACCEPTED,
    check: ({ server, secrets }) =>
      server.peers[0]?.header('authorization') === `Bearer ${secrets.idToken.value}`
        ? []
        : ['the request does not carry the OIDC token'],
  }),
  withEndpoint('a 401 that repeats the OIDC token', giveToken, {
    transports: BOTH,
    serve: afterUpload((peer, { secrets }) => peer.reply(401, hostileReply(secrets))),
    expected: { result: 'rejected', status: '401' },
  }),
  withEndpoint('the endpoint stalls', (peer) => peer.readHead(), {
    transports: BOTH,
    inputs: () => STALL,
    expected: { ...FAILED, says: /did not respond for 3 s/ },
  }),
  withEndpoint(
    "the endpoint's response stalls",
    async (peer) => {
      await peer.readHead();
      peer.send('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"value":');
    },
    { inputs: () => STALL, expected: { ...FAILED, says: /did not respond for 3 s/ } },
  ),
  withEndpoint(
    "the endpoint's response is truncated",
    async (peer) => {
      await peer.readHead();
      peer.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"value":');
    },
    { inputs: () => STALL, expected: FAILED },
  ),
  withEndpoint(
    'the endpoint resets the connection',
    async (peer) => {
      await peer.readHead();
      peer.reset();
    },
    { inputs: () => STALL, expected: FAILED },
  ),
  ...[401, 403, 500].map((status) =>
    withEndpoint(
      `the endpoint responds with ${status} and repeats the request's token`,
      async (peer, { secrets }) => {
        await peer.readHead();
        const { value } = secrets.idRequest;
        const body = JSON.stringify({ message: `No ${value} ::error::PWNED\n##[error]PWNED` });
        peer.reply(status, { reason: `No ${value}`, body });
      },
      { expected: FAILED },
    ),
  ),
  ...Object.entries({
    'is no JSON': 'PWNED\n::error::PWNED',
    'has no token': '{"count":1}',
    'has an empty token': '{"value":""}',
    'has false for a token': '{"value":false}',
    'is empty': '',
  }).map(([what, body]) =>
    withEndpoint(
      `the endpoint's response ${what}`,
      async (peer) => {
        await peer.readHead();
        peer.reply(200, { headers: { 'Content-Type': 'application/json' }, body });
      },
      { expected: FAILED },
    ),
  ),
  withEndpoint(
    "the endpoint's token has several lines",
    async (peer, { secrets }) => {
      await peer.readHead();
      sendJson(peer, { value: `${secrets.idToken.value}\r\nX-Evil: PWNED` });
    },
    { expected: FAILED },
  ),
  ...[302, 307].map((status) =>
    withEndpoint(
      `the endpoint redirects to another host (${status})`,
      async (peer, scene) => {
        await peer.readHead();
        peer.reply(status, { headers: { Location: `${await scene.bait()}/token` } });
      },
      { expected: { ...FAILED, says: new RegExp(`responded with ${status}`) } },
    ),
  ),
  ...[401, 403, 503].map((status) =>
    withEndpoint(
      `the endpoint refuses with ${status}, and its body is shown nowhere`,
      async (peer) => {
        await peer.readHead();
        peer.reply(status, { body: 'internal notes of the provider' });
      },
      {
        expected: { ...FAILED, says: new RegExp(`responded with ${status}`) },
        check: ({ server }, { log, summary, outputs }) => [
          ...(`${log}${summary}${JSON.stringify(outputs)}`.includes('internal notes')
            ? ['the body is shown']
            : []),
          ...(server.connections() === 0 ? [] : ['the service was asked']),
        ],
      },
    ),
  ),
  withEndpoint(
    "the endpoint's response has 10 MB, with a token at its end",
    async (peer, { secrets }) => {
      await peer.readHead();
      sendJson(peer, { padding: 'a'.repeat(10_000_000), value: secrets.idToken.value });
    },
    { expected: { ...FAILED, says: /more than 64 KiB/ } },
  ),
  withEndpoint(
    "the endpoint's response never ends",
    async (peer) => {
      await peer.readHead();
      peer.send('HTTP/1.1 200 OK\r\n\r\n{"value":"');
      const piece = Buffer.alloc(65_536, 'a');
      const flood = (): void => {
        while (!peer.socket.destroyed && peer.socket.write(piece));
      };
      peer.socket.on('drain', flood);
      flood();
    },
    // The limit of the connection must not be what ends it.
    {
      inputs: () => ({ 'stall-timeout-seconds': '15' }),
      expected: { ...FAILED, says: /more than 64 KiB/ },
    },
  ),
  {
    row: 'F32',
    variant: 'the job lacks id-token: write',
    transports: ['http'],
    inputs: () => ({ auth: 'oidc', retries: '3' }),
    expected: { ...FAILED, says: /id-token: write/ },
  },
];
