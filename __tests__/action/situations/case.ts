import { devNull } from 'node:os';
import type { TlsOptions } from 'node:tls';
import type { StepOptions, StepRun } from '../../../local/step/index.ts';
import type { Situation } from '../../../src/situations.ts';
import type { AttemptSpec, ResponseSpec } from '../../support/attempts.ts';
import type { Tree } from '../../support/directories.ts';
import type { Peer, Reply } from '../../support/peer.ts';
import { openServer } from '../../support/raw-server.ts';
import { makeWorkspace, runAction } from '../../support/run-action.ts';
import { MIB } from '../../support/samples.ts';

/** Stands for a text of the system or of Node in what is expected. */
export const ANY = 'ANYTEXT';

/** A file that is sent with `Expect: 100-continue`. */
export const LARGE = { 'scan.json': `["${'x'.repeat(2 * MIB)}"]` };

/** A record of an attempt that ended while connecting. */
export const CONNECTING = { state: 'connecting', isSent: false } satisfies AttemptSpec;

/** A step to run, and what a case knows of it that its words depend on. */
export interface Setup extends Partial<StepOptions> {
  readonly inputs: Readonly<Record<string, string>>;
  readonly files?: Tree;
  /** The record of the attempt; undefined if the scan ended before its first one. */
  readonly attempt?: AttemptSpec;
  /** Whether the step ended before its scans were known. */
  readonly hasNoScan?: boolean;
  /** What the error itself says about its fix. */
  readonly fixes?: readonly string[];
  /** With two scans, the situation of the first one, which keeps the last one from being sent. */
  readonly first?: Situation;
}

/** Makes the fault that leads to a situation. */
export type Case = () => Promise<Setup> | Setup;
/** Cases of every situation; several variants if each is worth a run. */
export type Cases = Readonly<Record<Situation, Case | readonly Case[]>>;

/** A server, and the step that uploads to it. */
interface Served extends Partial<Setup> {
  /** What the server reads before it acts: the whole upload, unless a case says otherwise. */
  readonly read?: (peer: Peer) => Promise<void>;
  readonly act?: (peer: Peer) => void;
  /** Of a server that speaks TLS. */
  readonly tls?: TlsOptions;
  readonly scheme?: 'http' | 'https';
}

export function serve(served: Served): Case {
  const { read = (peer) => peer.readUpload(), act, tls, ...rest } = served;
  const { scheme = tls === undefined ? 'http' : 'https', ...setup } = rest;
  const script = (peer: Peer): Promise<void> => read(peer).then(() => act?.(peer));
  return async () => {
    const { port } = await openServer(script, tls);
    return { ...setup, inputs: { 'base-url': `${scheme}://127.0.0.1:${port}`, ...setup.inputs } };
  };
}

/** Reads as much as a TLS handshake has at least. */
export function readByte(peer: Peer): Promise<void> {
  return peer.readBytes(1);
}

/** A response to a whole upload. The names of headers are in lower case. */
export function respond(status: number, reply: Reply = {}, spec: Partial<ResponseSpec> = {}): Case {
  const { headers = {}, body = '' } = reply;
  const attempt = { response: { status, headers, body: String(body), ...spec } };
  return serve({ act: (peer) => peer.replyAsStranger(status, reply), attempt });
}

/** A response before the body is sent, which is larger than what a connection buffers. */
export function respondEarly(status: number): Case {
  const attempt = { state: 'asking', isSent: false, response: { status } } as const;
  const act = (peer: Peer): void => peer.replyAsStranger(status);
  const files = { 'scan.json': `["${'x'.repeat(24 * MIB)}"]` };
  return serve({ read: (peer) => peer.readHead(), act, attempt, files });
}

/** Environment variables with which a module is loaded into the action ahead of it. */
export function preload(code: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

/** The waits before retries are as short as possible, 5 s, and pass at once on the clocks of the step. */
export const SKIP_WAITS = preload(`
  const { setTimeout: set } = globalThis;
  let skippedMs = 0;
  for (const clock of [Date, performance]) {
    const now = clock.now.bind(clock);
    clock.now = () => now() + skippedMs;
  }
  Math.random = () => 0;
  globalThis.setTimeout = (run, ms, ...rest) => {
    if (!(ms > 4000 && ms <= 5000)) return set(run, ms, ...rest);
    return set(() => {
      skippedMs += ms;
      run(...rest);
    }, 0);
  };
`);

/** Runs the action, without the system's CA certificates, which take time to load. */
export async function runSetup({ inputs, files, env, ...options }: Setup): Promise<StepRun> {
  const workspace = options.workspace ?? (await makeWorkspace(files));
  const noRoots = { SSL_CERT_FILE: devNull, SSL_CERT_DIR: workspace };
  const all = { retries: '0', 'allow-http': 'true', ...inputs };
  return runAction(workspace, all, { ...options, env: { ...noRoots, ...env } });
}
