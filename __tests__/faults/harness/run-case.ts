import { devNull } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { StepRun } from '../../../local/step/index.ts';
import { HOST, startProxy } from '../../support/network.ts';
import { listDeclared } from '../../support/repository.ts';
import { countAttempts, readResults, runAction } from '../../support/run-action.ts';
import type { Peer } from '../../support/servers.ts';
import { openServer } from '../../support/servers.ts';
import { makeFolder, REPORT, SCAN_KEY, TestScope } from '../../support/workspace.ts';
import { AUTHORITY } from './case.ts';
import type { FaultCase, Scene } from './case.ts';
import { findSecrecyProblems, makeSecrets } from './secrets.ts';

/** How long a step may take after its time limit or after a signal: 3 s by the promise, and what tests beside it take. */
const GRACE_MS = 5000;
/** A step that needs longer to write its first line is on a busy machine, where everything takes as many times longer. */
const START_MS = 1000;
/** When a step is killed after its time limit: it hangs. */
const HUNG_MS = 60_000;
/** How long a case may take: more than both limits together. */
const CASE_MS = 180_000;

const OUTPUTS = listDeclared('outputs').join();

/** Tests each case that this system can make. They run in parallel: those that wait stand first. */
export function runCases(cases: readonly FaultCase[]): void {
  const possible = cases.filter(
    ({ posixOnly }) => posixOnly !== true || process.platform !== 'win32',
  );
  const define = test.concurrent.each(possible);
  define('$name', async (fault) => expect(await runCase(fault)).toEqual([]), CASE_MS);
}

/** Runs the committed action against a fault. Returns what broke the promise. */
async function runCase(fault: FaultCase): Promise<readonly string[]> {
  const scope = new TestScope();
  try {
    const scene = await openScene(fault, scope);
    await fault.prepare?.(scene);
    const inputs = { ...makeInputs(scene), ...fault.inputs?.(scene) };
    const limitMs = Number(inputs['timeout-seconds']) * 1000;
    const startedAt = performance.now();
    let [startMs, cancelledAt] = [0, 0];
    scene.signal.addEventListener('abort', () => {
      cancelledAt = performance.now();
    });
    const run = await runAction(scene.path('.'), inputs, {
      env: { ...makeEnv(scene), ...fault.env?.(scene) },
      signal: scene.signal,
      runnerTemp: await makeFolder({}, scope),
      timeoutMs: limitMs + HUNG_MS,
      onOutput: (line) => {
        startMs ||= performance.now() - startedAt;
        fault.onLine?.(line, scene);
      },
    });
    const afterSignalMs = scene.signal.aborted ? performance.now() - cancelledAt : 0;
    const isBusy = startMs > START_MS;
    const graceMs = isBusy ? (GRACE_MS * startMs) / START_MS : GRACE_MS;
    const isUploaded = hasUpload(scene);
    const broken = {
      [`it took ${afterSignalMs} ms to cancel`]: afterSignalMs > graceMs,
      [`it took ${run.durationMs} ms`]: run.durationMs > limitMs + graceMs,
      'another server was contacted': fault.other === undefined && scene.other.connections() > 0,
      ...checkEnd(run, isUploaded),
      ...(isBusy && isCutShort(run) ? {} : checkResult(fault, scene, run, isBusy)),
    };
    const problems = Object.entries(broken).flatMap(([problem, isSo]) => (isSo ? [problem] : []));
    const secrecy = findSecrecyProblems(run, scene.secrets);
    return [...problems, ...secrecy, ...(fault.check?.(scene, run) ?? [])];
  } finally {
    await scope.close();
  }
}

/** Makes the workspace and opens the servers and, where the transport has one, the proxy. */
async function openScene(fault: FaultCase, scope: TestScope): Promise<Scene> {
  const { transport = 'http' } = fault;
  const isSecure = transport.startsWith('https');
  const isProxied = transport.endsWith('proxy');
  const tree = fault.files?.() ?? { 'scan.json': REPORT };
  const workspace = await makeFolder(tree, scope);
  const [[path, content] = ['', '']] = Object.entries(tree);
  const filename = basename(path).replaceAll('"', '%22');
  const secrets = makeSecrets(
    AUTHORITY.client.key,
    fault.secrets ?? (isProxied ? 'proxy' : 'none'),
  );
  const { serve = (peer) => peer.readUpload().then(() => peer.reply(200)) } = fault;
  const tls = isSecure ? { ...AUTHORITY.server, ...fault.tls } : undefined;
  const server = await openServer((peer, turn) => serve(peer, scene, turn), tls, scope);
  const proxy = isProxied ? await startProxy(server.port, fault.proxyTls, scope) : undefined;
  const play = (peer: Peer, turn: number): unknown =>
    peer.readHead().then(() => fault.other?.(peer, scene, turn));
  const other = await openServer(play, undefined, scope);
  const cancellation = new AbortController();
  const scene: Scene = {
    scope,
    isSecure,
    secrets,
    server,
    proxy,
    other,
    sent: { filename, content: Buffer.from(content) },
    baseUrl: `${isSecure ? 'https' : 'http'}://${isProxied ? HOST : '127.0.0.1'}:${server.port}`,
    path: (name) => join(workspace, name),
    proxyVariable: isSecure ? 'https_proxy' : 'http_proxy',
    writeProxy: (port, origin = 'http://127.0.0.1') => {
      const password = encodeURIComponent(secrets.proxyPassword.value);
      return `${origin.replace('//', `//proxy-user:${password}@`)}:${port}`;
    },
    signal: cancellation.signal,
    cancel: () => cancellation.abort(),
  };
  return scene;
}

/** The inputs with every secret that a workflow can have; every case uses them. */
function makeInputs({ baseUrl, secrets, isSecure, proxy }: Scene): Record<string, string> {
  return {
    'base-url': baseUrl,
    token: secrets.token.value,
    headers: `X-Api-Key: ${secrets.apiKey.value}\nCookie: ${secrets.cookie.value}`,
    'client-cert': AUTHORITY.client.cert,
    'client-key': secrets.clientKey.value,
    ...(isSecure && { 'ca-cert': AUTHORITY.ca }),
    ...(!isSecure && proxy !== undefined && { 'allow-http': 'true' }),
    retries: '0',
    'stall-timeout-seconds': '20',
    'timeout-seconds': '60',
  };
}

/** Leaves out the system's CA certificates, which take time to load and are not needed here. */
function makeEnv({ path, proxy, proxyVariable, writeProxy }: Scene): Record<string, string> {
  const noRoots = { SSL_CERT_FILE: devNull, SSL_CERT_DIR: path('.') };
  return { ...noRoots, ...(proxy !== undefined && { [proxyVariable]: writeProxy(proxy.port) }) };
}

/** Whether the service has every byte, and sent a complete success. */
function hasUpload({ server, sent }: Scene): boolean {
  return server.peers.some((peer) => peer.accepted && gotUpload(peer, sent));
}

/** Whether a connection carried the whole form and nothing else: the scan key, and the file, byte by byte. */
function gotUpload(peer: Peer, { filename, content }: Scene['sent']): boolean {
  const boundary = peer.header('content-type')?.replace('multipart/form-data; boundary=', '--');
  const field = 'Content-Disposition: form-data; name=';
  const head = [
    `${boundary}\r\n${field}"ScanKey"\r\n\r\n${SCAN_KEY}\r\n`,
    `${boundary}\r\n${field}"ScanJsonFile"; filename="${filename}"\r\n`,
    'Content-Type: application/octet-stream\r\n\r\n',
  ].join('');
  const form = [Buffer.from(head), content, Buffer.from(`\r\n${boundary}--\r\n`)];
  return (
    peer.header('content-length') === String(peer.body.length) &&
    peer.body.equals(Buffer.concat(form))
  );
}

/** Sentences, and whether they are so. */
type Problems = Readonly<Record<string, boolean>>;

/** The exit code is 0 exactly if the upload is accepted, and nothing says otherwise. */
function checkEnd(run: StepRun, isUploaded: boolean): Problems {
  const { uploaded = 'false', result } = run.outputs;
  return {
    'it had to be killed': run.timedOut,
    [`exit ${run.exitCode}, while the upload is ${isUploaded ? 'accepted' : 'not accepted'}`]:
      (run.exitCode === 0) !== isUploaded,
    [`uploaded=${uploaded}, which is not so`]: uploaded !== String(isUploaded),
    [`result=${result}, which is not so`]: (result === 'accepted') !== isUploaded,
  };
}

/**
 * Whether a step that was asked to end has been ended without a report, or has killed itself because a thread was in a
 * system call. On a busy machine this may come before the step has had its turn.
 */
function isCutShort({ annotations, signal }: StepRun): boolean {
  return signal === 'SIGKILL' || annotations.some(({ title }) => title === 'Scan upload ended');
}

function checkResult(fault: FaultCase, scene: Scene, run: StepRun, isBusy: boolean): Problems {
  return {
    [`it was ended by ${run.signal}`]: run.signal !== null,
    ...checkReport(run),
    ...checkExpected(isBusy ? expectEarly(fault, scene) : fault.expected, scene, run),
  };
}

/** What is expected on a busy machine, where a limit may fire before the state that the case waits for. */
function expectEarly({ expected }: FaultCase, { server, sent }: Scene): FaultCase['expected'] {
  const { result, reason } = expected;
  if (reason !== 'time-limit' && reason !== 'stalled') return expected;
  const isSent = server.peers.some((peer) => gotUpload(peer, sent));
  const isConnected = server.peers.some(({ size }) => size > 0);
  return {
    result: isSent ? result : 'not-sent',
    // The case of a service that stops reading has a proxy.
    reason: reason === 'stalled' && !isConnected ? 'proxy' : reason,
  };
}

/** One error on failure, none on success; every output set, and no other; results that agree with them. */
function checkReport(run: StepRun): Problems {
  const errors = run.annotations.filter(({ level }) => level === 'error');
  const { uploaded, result, error = '', reason = '' } = run.outputs;
  const isAccepted = run.exitCode === 0;
  const told = [uploaded, result, reason || null, error || null].join();
  const results = readResults(run).map((scan) =>
    [scan.uploaded, scan.result, scan.reason, scan.error].join(),
  );
  return {
    [`${errors.length} error annotations`]: errors.length !== (isAccepted ? 0 : 1),
    [`outputs: ${Object.keys(run.outputs).join(', ')}`]:
      Object.keys(run.outputs).toSorted().join() !== OUTPUTS,
    [`error output: '${error}'`]: (error === '') !== isAccepted,
    [`reason output: '${reason}'`]: (reason === '') !== isAccepted,
    [`results: ${results.join('\n')}`]: results.length > 0 && results.join('\n') !== told,
    'no summary': !run.summary.includes('Scan upload'),
    [`the process wrote to stderr: ${run.stderr.slice(0, 200)}`]: run.stderr !== '',
  };
}

function checkExpected(expected: FaultCase['expected'], { server }: Scene, run: StepRun): Problems {
  const { outputs, exitCode } = run;
  const { result = '', reason = '', error, 'status-code': code } = outputs;
  const [attempts, connections] = [countAttempts(run), server.connections()];
  return {
    [`result=${result} (${error})`]: result !== expected.result,
    [`reason=${reason} (${error})`]: reason !== expected.reason,
    [`exit code ${exitCode}`]: exitCode !== 0 && exitCode !== (expected.exitCode ?? 1),
    [`status-code=${code}`]: code !== (expected.status ?? code),
    [`${attempts} attempts`]: attempts !== (expected.attempts ?? attempts),
    [`${connections} connections`]: connections !== (expected.connections ?? connections),
  };
}
