import { afterUpload } from '../harness/case.ts';
import type { FaultCase, Scene } from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';
import { hostileLine, hostileReply } from '../harness/secrets.ts';

/** A redirect, which is not followed: `target` returns its Location, of a server that must see no connection. */
function redirect(name: string, target: (bait: string, scene: Scene) => string): FaultCase {
  return {
    name: `307 to ${name}`,
    inputs: () => ({ retries: '2' }),
    serve: afterUpload(async (peer, scene) => {
      const headers = { Location: target(await scene.bait(), scene) };
      peer.reply(307, { headers, body: `<a href="${scene.secrets.token.value}">here</a>` });
    }),
    expected: {
      result: 'rejected',
      reason: 'redirect',
      status: '307',
      attempts: 1,
      connections: 1,
    },
  };
}

/** Refusals of a service or a gateway, which repeat every secret; `texts.test.ts` has their texts. */
runCases([
  {
    name: 'a 400',
    transports: ['http', 'https-proxy'],
    serve: afterUpload((peer, { secrets }) => peer.reply(400, hostileReply(secrets))),
    expected: { result: 'rejected', reason: 'problem', status: '400', attempts: 1 },
  },
  {
    name: "a gateway's 504 after the whole body, with debug logging",
    transports: ['https'],
    env: () => ({ RUNNER_DEBUG: '1' }),
    serve: afterUpload((peer, { secrets }) => peer.reply(504, hostileReply(secrets))),
    expected: { result: 'unconfirmed', reason: 'unavailable', status: '504', attempts: 1 },
  },
  redirect(
    'a Location full of secrets and commands',
    (bait, { secrets }) => `${bait}/${hostileLine(secrets)}`,
  ),
  redirect(
    'a Location with the token as the host',
    (_bait, { secrets }) => `http://${secrets.token.cores.join('.')}.example.test/`,
  ),
]);
