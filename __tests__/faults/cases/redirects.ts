import { afterHead, afterUpload } from '../harness/case-scripts.ts';
import { hostileLine } from '../harness/hostile.ts';
import { makeLarge } from '../harness/reports.ts';
import type { Scene } from '../harness/scene.ts';
import type { FaultCase } from '../harness/types.ts';

const PATH = '/v1/scanner/upload-file';

/** The target of a Location header: the action must not connect to it. */
type Target = (bait: string, scene: Scene) => string;

function redirect(
  name: string,
  status: number,
  target: Target,
  { isEarly = false } = {},
): FaultCase {
  const after = isEarly ? afterHead : afterUpload;
  return {
    name: `${status} to ${name}`,
    // To a body over 1 MiB the service responds before it is sent.
    ...(isEarly && { files: makeLarge(2) }),
    inputs: () => ({ retries: '2' }),
    serve: after(async (peer, scene) => {
      const headers = { Location: target(await scene.bait(), scene) };
      peer.reply(status, { headers, body: `<a href="${scene.secrets.token.value}">here</a>` });
    }),
    expected: {
      result: 'rejected',
      reason: 'redirect',
      status: String(status),
      attempts: 1,
      connections: 1,
    },
  };
}

/** Redirects are reported, and never followed. */
export const REDIRECTS: readonly FaultCase[] = [
  ...[301, 303, 308].map((status) => redirect('another origin', status, (bait) => bait + PATH)),
  redirect('the same origin', 307, (_bait, { baseUrl }) => baseUrl + PATH),
  redirect('another origin before the files are sent', 307, (bait) => bait + PATH, {
    isEarly: true,
  }),
  redirect('a relative Location', 302, () => '/login?return=%2Fv1'),
  redirect('a Location that is no URL', 302, () => 'http://[::bad'),
  redirect(
    'a Location full of secrets and commands',
    307,
    (bait, { secrets }) => `${bait}/${hostileLine(secrets)}`,
  ),
  redirect(
    'a Location with the token as the host',
    307,
    (_bait, { secrets }) => `http://${secrets.token.cores.join('.')}.example.test${PATH}`,
  ),
];
