import { devNull } from 'node:os';
import { makeFolder } from '../../support/directories.ts';
import { runAction } from '../../support/run-action.ts';
import { Scope } from '../../support/scope.ts';
import { findViolations } from './invariant.ts';
import { Scene } from './scene.ts';
import type { FaultCase, Transport } from './types.ts';

type Values = Readonly<Record<string, string>>;

/** Beyond its time limit, a step that hangs is killed after this long. */
const KILL_MS = 10_000;

/** Runs the committed action against a fault. Returns what broke the promise. */
export async function runCase(fault: FaultCase, transport: Transport): Promise<readonly string[]> {
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
      ...(fault.killSignal !== undefined && { killSignal: fault.killSignal }),
    });
    return await findViolations(fault, scene, { run, endedAt: performance.now(), timeLimitMs });
  } finally {
    await scope.close();
  }
}

/** The inputs with every secret that a workflow can have; every case uses them. */
function makeInputs({ baseUrl, secrets, authority, transport, isSecure }: Scene): Values & {
  readonly 'timeout-seconds': string;
} {
  return {
    'base-url': baseUrl,
    token: secrets.token.value,
    headers: `X-Api-Key: ${secrets.apiKey.value}\nCookie: ${secrets.cookieHeader}`,
    'client-cert': authority.client.cert,
    'client-key': secrets.clientKey.value,
    ...(isSecure && { 'ca-cert': authority.ca }),
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
    ...(scene.proxy !== undefined && { [scene.proxyVariable]: scene.proxyUrl }),
  };
}
