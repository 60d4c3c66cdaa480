import type { FaultCase } from '../harness/types.ts';
import { hostileLine } from '../harness/hostile.ts';
import { MIB, makeReport } from './files.ts';
import type { Scene } from '../harness/scene.ts';

const PATH = '/v1/scanner/upload-file';

/** The target of a Location header: the action must not connect to it. */
type Target = (bait: string, scene: Scene) => string;

function redirect(
  row: string,
  variant: string,
  status: number,
  target: Target,
  says: RegExp,
  files?: FaultCase['files'],
): FaultCase {
  const locations = new WeakMap<Scene, string>();
  return {
    row,
    variant,
    ...(files !== undefined && { files }),
    inputs: () => ({ retries: '2' }),
    prepare: async (scene) => {
      locations.set(scene, target(await scene.bait(), scene));
    },
    serve: async (peer, scene) => {
      // To a body over 1 MiB the service responds before it is sent.
      if (files === undefined) await peer.readUpload();
      else await peer.readHead();
      const headers = { Location: locations.get(scene) ?? '' };
      peer.reply(status, { headers, body: `<a href="${scene.secrets.token.value}">here</a>` });
    },
    expected: { result: 'rejected', status: String(status), attempts: '1', says, connections: 1 },
  };
}

const large = (): Record<string, Buffer> => ({ 'scan.json': makeReport(2 * MIB) });
const FOLLOWED = /redirects to http.*not followed/;

/** F19 to F21, and S5: redirects are reported, and never followed. */
export const REDIRECTS: readonly FaultCase[] = [
  ...[301, 302, 303, 307, 308].map((status) =>
    redirect('F19', `${status} to another origin`, status, (bait) => bait + PATH, FOLLOWED),
  ),
  redirect('F19', '307 to the same origin', 307, (_bait, scene) => scene.baseUrl + PATH, FOLLOWED),
  redirect('F20', 'early 307 to another origin', 307, (bait) => bait + PATH, FOLLOWED, large),
  redirect('F20', 'early 308 to another origin', 308, (bait) => `${bait}/login`, FOLLOWED, large),
  redirect('F21', 'a relative Location', 302, () => '/login?return=%2Fv1', FOLLOWED),
  redirect(
    'F21',
    'a Location without a scheme',
    302,
    (bait) => bait.replace(/^https?:/, ''),
    FOLLOWED,
  ),
  redirect(
    'F21',
    'a Location that is no URL',
    302,
    () => 'http://[::bad',
    /without a usable target/,
  ),
  redirect('F21', 'an empty Location', 302, () => '', /redirects to|without a usable target/),
  redirect('F21', 'a javascript: Location', 302, () => 'javascript:alert(1)', /without a usable/),
  redirect(
    'S5',
    'a Location full of secrets and commands',
    307,
    (bait, { secrets }) => `${bait}/${hostileLine(secrets)}`,
    FOLLOWED,
  ),
  redirect(
    'S5',
    'a Location with the token as the host',
    307,
    (_bait, { secrets }) => `http://${secrets.token.cores.join('.')}.example.test${PATH}`,
    /redirects to|without a usable target/,
  ),
];
