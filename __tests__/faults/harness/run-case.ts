import { devNull } from 'node:os';
import { expect, test } from '@jest/globals';
import { makeFolder } from '../../support/directories.ts';
import { runAction } from '../../support/run-action.ts';
import { AUTHORITY, Scene } from './case.ts';
import type { FaultCase } from './case.ts';
import { findViolations } from './invariant.ts';

type Values = Readonly<Record<string, string>>;

/** Beyond its time limit, a step that hangs is killed after this long. */
const KILL_MS = 3000;
/** How long a case may take: more than its time limit. */
const CASE_MS = 30_000;

/** Tests each case over its transports, without what this system cannot do. */
export function runCases(cases: readonly FaultCase[]): void {
  const runs = cases
    .filter(({ posixOnly }) => posixOnly !== true || process.platform !== 'win32')
    .flatMap((fault) =>
      (fault.transports ?? ['http' as const]).map((transport) => ({
        name: `${fault.name} (${transport})`,
        run: () => runCase(fault, new Scene(fault, transport)),
      })),
    );
  const define = test.concurrent.each(runs);
  define('$name', async ({ run }) => expect(await run()).toEqual([]), CASE_MS);
}

/** Runs the committed action against a fault. Returns what broke the promise. */
async function runCase(fault: FaultCase, scene: Scene): Promise<readonly string[]> {
  try {
    await scene.open(fault);
    await fault.prepare?.(scene);
    const inputs = { ...makeInputs(scene), ...fault.inputs?.(scene) };
    const timeLimitMs = Number(inputs['timeout-seconds']) * 1000;
    const run = await runAction(scene.workspace, inputs, {
      env: { ...makeEnv(scene), ...fault.env?.(scene) },
      signal: scene.cancelling.signal,
      runnerTemp: await makeFolder({}, scene.scope),
      timeoutMs: timeLimitMs + KILL_MS,
      onOutput: (line) => fault.onLine?.(line, scene),
    });
    return await findViolations(fault, scene, { run, endedAt: performance.now(), timeLimitMs });
  } finally {
    await scene.scope.close();
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
    'timeout-seconds': '15',
  };
}

/** Leaves out the system's CA certificates, which take time to load and are not needed here. */
function makeEnv(scene: Scene): Values {
  const { workspace, proxy } = scene;
  const noRoots = { SSL_CERT_FILE: devNull, SSL_CERT_DIR: workspace };
  return {
    ...noRoots,
    ...(proxy !== undefined && { [scene.proxyVariable]: scene.writeProxy(proxy.port) }),
  };
}
