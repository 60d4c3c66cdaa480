import { devNull } from 'node:os';
import { expect, test } from '@jest/globals';
import { makeFolder } from '../../support/directories.ts';
import { runAction } from '../../support/run-action.ts';
import { Scope } from '../../support/scope.ts';
import { AUTHORITY } from './authority.ts';
import { findViolations } from './invariant.ts';
import { Scene } from './scene.ts';
import type { FaultCase, Transport } from './types.ts';

type Values = Readonly<Record<string, string>>;

/** Beyond its time limit, a step that hangs is killed after this long. */
const KILL_MS = 10_000;

/** How long a case may take: far more than its own limits, on a busy machine. */
const CASE_MS = 120_000;

/** Tests each case over its transports, http or https in turn, without what this system cannot do. */
export function runCases(cases: readonly FaultCase[]): void {
  const runs = cases
    .filter(({ posixOnly }) => posixOnly !== true || process.platform !== 'win32')
    .flatMap((fault, index) =>
      (fault.transports ?? [takeTurn(index)]).map((transport) => ({
        name: `${fault.name}, over ${transport}`,
        run: () => runCase(fault, transport),
      })),
    );
  const define = test.concurrent.each(runs);
  define('keeps the promise: $name', async ({ run }) => expect(await run()).toEqual([]), CASE_MS);
}

/** http, https, https, http: of cases that come in pairs, the first ones do not all have the same. */
function takeTurn(index: number): Transport {
  return (index + Math.floor(index / 2)) % 2 === 0 ? 'http' : 'https';
}

/** Runs the committed action against a fault. Returns what broke the promise. */
async function runCase(fault: FaultCase, transport: Transport): Promise<readonly string[]> {
  const scope = new Scope();
  try {
    const scene = await Scene.open(fault, transport, scope);
    await fault.prepare?.(scene);
    const inputs = { ...makeInputs(scene), ...fault.inputs?.(scene) };
    const timeLimitMs = Number(inputs['timeout-seconds']) * 1000;
    const run = await runAction(scene.workspace, inputs, {
      env: { ...makeEnv(scene), ...fault.env?.(scene) },
      signal: scene.cancelling.signal,
      runnerTemp: await makeFolder({}, scope),
      timeoutMs: timeLimitMs + KILL_MS,
      onOutput: (line) => fault.onLine?.(line, scene),
    });
    return await findViolations(fault, scene, { run, endedAt: performance.now(), timeLimitMs });
  } finally {
    await scope.close();
  }
}

/** The inputs with every secret that a workflow can have; every case uses them. */
function makeInputs({ baseUrl, secrets, transport, isSecure }: Scene): Values & {
  readonly 'timeout-seconds': string;
} {
  return {
    'base-url': baseUrl,
    token: secrets.token.value,
    headers: `X-Api-Key: ${secrets.apiKey.value}\nCookie: ${secrets.cookieHeader}`,
    'client-cert': AUTHORITY.client.cert,
    'client-key': secrets.clientKey.value,
    ...(isSecure && { 'ca-cert': AUTHORITY.ca }),
    ...(transport === 'http-proxy' && { 'allow-http': 'true' }),
    retries: '0',
    'stall-timeout-seconds': '5',
    'timeout-seconds': '20',
  };
}

/** Leaves out the system's CA certificates, which take time to load and are not needed here. */
function makeEnv(scene: Scene): Values {
  const noRoots = { SSL_CERT_FILE: devNull, SSL_CERT_DIR: scene.workspace };
  return {
    ...noRoots,
    ...(scene.proxy !== undefined && { [scene.proxyVariable]: scene.writeProxy(scene.proxy.port) }),
  };
}
