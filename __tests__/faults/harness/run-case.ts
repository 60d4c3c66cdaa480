import { devNull } from 'node:os';
import { runStep } from '../../../local/step/index.ts';
import { ACTION } from '../../support/run-action.ts';
import { SCAN_KEY } from '../../support/samples.ts';
import { Scope } from '../../support/scope.ts';
import { findViolations } from './invariant.ts';
import { Scene } from './scene.ts';
import type { FaultCase, Transport } from './types.ts';

/** What became of a case over one transport. */
export interface Verdict {
  readonly row: string;
  readonly variant: string;
  readonly transport: Transport;
  readonly result: string;
  readonly exitCode: number | null;
  readonly seconds: number;
  readonly violations: readonly string[];
}

type Values = Readonly<Record<string, string>>;

const FILE_INPUTS = ['files', 'scan-file', 'dependencies-file', 'vulnerabilities-file'];
/** Beyond its time limit, a step that hangs is killed after this long. */
const KILL_MS = 10_000;

/** Runs the committed action against a fault, and judges what it did. */
export async function runCase(fault: FaultCase, transport: Transport): Promise<Verdict> {
  const scope = new Scope();
  try {
    const scene = await Scene.open(fault, transport, scope);
    await fault.prepare?.(scene);
    const inputs = { ...makeInputs(scene), ...fault.inputs?.(scene) };
    const isNamed = FILE_INPUTS.some((name) => name in inputs);
    const timeLimitMs = Number(inputs['timeout-seconds']) * 1000;
    const run = await runStep({
      action: ACTION,
      workspace: scene.workspace,
      inputs: { ...(!isNamed && { 'scan-file': 'scan.json' }), ...inputs },
      env: { ...makeEnv(scene), ...fault.env?.(scene) },
      signal: scene.cancelling.signal,
      timeoutMs: timeLimitMs + KILL_MS,
      onOutput: (line) => fault.onLine?.(line, scene),
      ...(fault.killSignal !== undefined && { killSignal: fault.killSignal }),
    });
    const finished = { run, endedAt: performance.now(), timeLimitMs };
    return {
      row: fault.row,
      variant: fault.variant,
      transport,
      result: run.outputs['result'] ?? '',
      exitCode: run.exitCode,
      seconds: run.durationMs / 1000,
      violations: await findViolations(fault, scene, finished),
    };
  } finally {
    await scope.close();
  }
}

/** Every case carries every secret that an author can give. */
function makeInputs({ baseUrl, secrets, authority, transport, isSecure }: Scene): Values & {
  readonly 'timeout-seconds': string;
} {
  return {
    'base-url': baseUrl,
    'scan-key': SCAN_KEY,
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

/** The system's root certificates would only take time: no server here has a certificate of theirs. */
function makeEnv(scene: Scene): Values {
  const noRoots = { SSL_CERT_FILE: devNull, SSL_CERT_DIR: scene.workspace };
  return {
    ...noRoots,
    ...(scene.proxy !== undefined && { [scene.proxyVariable]: scene.proxyUrl }),
  };
}
