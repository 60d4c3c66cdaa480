import { listOutputTexts } from '../../support/results.ts';
import { ACCEPTED, afterUpload } from '../harness/case-scripts.ts';
import { hostileReply } from '../harness/hostile.ts';
import { STALL } from '../harness/limits.ts';
import type { CaseScript, FaultCase } from '../harness/types.ts';

/** A step with `auth: oidc`, and an identity provider that does as `script` says. */
function askProvider(name: string, script: CaseScript, rest: Partial<FaultCase> = {}): FaultCase {
  return {
    name: `the identity provider ${name}`,
    secrets: { identity: true },
    prepare: async (scene) => {
      const provider = await scene.listen(async (peer, turn) => {
        await peer.readHead();
        await script(peer, scene, turn);
      });
      scene.otherPort = provider.port;
    },
    env: (scene) => ({
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${scene.otherPort}/token?api=1`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: scene.secrets.idRequest.value,
    }),
    expected: {
      result: 'not-sent',
      reason: 'credentials',
      status: '',
      attempts: 1,
      connections: 0,
    },
    ...rest,
    inputs: (scene) => ({ auth: 'oidc', ...rest.inputs?.(scene) }),
  };
}

const giveToken: CaseScript = (peer, { secrets }) =>
  peer.reply(200, { body: JSON.stringify({ value: secrets.idToken.value }) });

/** Where the OIDC token comes from. */
export const IDENTITY: readonly FaultCase[] = [
  askProvider('stalls', () => {}, { inputs: () => STALL }),
  askProvider(
    'stalls within its response',
    (peer) => peer.send('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"value":'),
    { inputs: () => STALL },
  ),
  askProvider('sends a truncated response', (peer) => {
    peer.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"value":');
  }),
  askProvider('returns a token, and the upload is accepted', giveToken, {
    expected: ACCEPTED,
    check: ({ server, secrets }) =>
      server.peers[0]?.header('authorization') === `Bearer ${secrets.idToken.value}`
        ? []
        : ['the request does not carry the OIDC token'],
  }),
  askProvider('returns a token that a 401 of the service repeats', giveToken, {
    serve: afterUpload((peer, { secrets }) => peer.reply(401, hostileReply(secrets))),
    expected: { result: 'rejected', reason: 'credentials', status: '401' },
  }),
  askProvider(
    'refuses and repeats the token of the request',
    (peer, { secrets }) => {
      const reason = `No ${secrets.idRequest.value}`;
      const body = `internal notes, ${reason} ::error::PWNED\n##[error]PWNED`;
      peer.reply(403, { reason, body });
    },
    {
      check: (_scene, { log, summary, outputs }) =>
        `${log}${summary}${listOutputTexts({ outputs }).join()}`.includes('internal notes')
          ? ['the body is shown']
          : [],
    },
  ),
  askProvider('responds with a command', (peer) =>
    peer.reply(200, { body: 'PWNED\n::error::PWNED' }),
  ),
  askProvider('returns a token of several lines', (peer, { secrets }) =>
    peer.reply(200, {
      body: JSON.stringify({ value: `${secrets.idToken.value}\r\nX-Evil: PWNED` }),
    }),
  ),
  askProvider('redirects to another host', async (peer, scene) => {
    peer.reply(307, { headers: { Location: `${await scene.bait()}/token` } });
  }),
];
