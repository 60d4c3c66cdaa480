import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import type { StepRun } from '../../../local/step/index.ts';
import type { Reason } from '../../../src/outcomes/reasons.ts';
import type { UploadResult } from '../../../src/outcomes/situations.ts';
import { HOST, makeAuthority } from '../../support/certificates.ts';
import { makeFolder } from '../../support/directories.ts';
import type { Tree } from '../../support/directories.ts';
import type { Peer } from '../../support/peer.ts';
import { startProxy } from '../../support/proxy.ts';
import type { Proxy } from '../../support/proxy.ts';
import { openServer } from '../../support/raw-server.ts';
import type { RawServer } from '../../support/raw-server.ts';
import { MIB, REPORT } from '../../support/samples.ts';
import { TestScope } from '../../support/scope.ts';
import { makeSecrets } from './secrets.ts';
import type { Secrets } from './secrets.ts';

/** How the action reaches the service; both proxies are asked by CONNECT. */
type Transport = 'http' | 'https' | 'http-proxy' | 'https-proxy';
type Texts = Readonly<Record<string, string>>;

/** What a server does with a connection; the number is 1 for the first one. */
export type CaseScript = (peer: Peer, scene: Scene, turn: number) => unknown;

/** The expected outputs of a case, in addition to what holds for each. */
interface Expected {
  /** Several if the kernel's timing decides which one it is. */
  readonly result: UploadResult | readonly UploadResult[];
  /** Empty for a success. */
  readonly reason: Reason | '' | readonly (Reason | '')[];
  /** Exit code of a failure; 1 if absent. */
  readonly exitCode?: number;
  readonly status?: string;
  readonly attempts?: number;
  /** Number of connections to the service, if it matters. */
  readonly connections?: number;
}

/** One fault, run once over each of its transports. */
export interface FaultCase {
  readonly name: string;
  /** http if absent. */
  readonly transports?: readonly Transport[];
  /** A small `scan.json` if absent. */
  readonly files?: () => Tree;
  /** The scan file, and the filename with which it must arrive; `scan.json` if absent. */
  readonly sent?: { readonly path: string; readonly filename: string };
  /** They replace the inputs that every case has. */
  readonly inputs?: (scene: Scene) => Texts;
  readonly env?: (scene: Scene) => Texts;
  /** What another server does, a proxy or an identity provider, once it has read a head. */
  readonly other?: CaseScript;
  /** Links and the like. */
  readonly prepare?: (scene: Scene) => Promise<void> | void;
  /** What the service does; accepts every upload if absent. */
  readonly serve?: CaseScript;
  /** Secrets that the case gives to the action by itself. */
  readonly secrets?: 'proxy' | 'identity';
  /** The protocol of the service's port, if it is not that of the transport. */
  readonly wire?: 'tcp' | 'tls';
  /** TLS options of the service; they win over its key and certificate. */
  readonly tls?: TlsOptions;
  /** Called with each line that the step writes, as it writes it. */
  readonly onLine?: (line: string, scene: Scene) => void;
  readonly expected: Expected;
  /** Needs FIFOs, signals or names that Windows does not have. */
  readonly posixOnly?: boolean;
  /** What must also hold; returns problems. */
  readonly check?: (scene: Scene, run: StepRun) => readonly string[];
}

const issuer = await makeAuthority();

/** The certificates of a private CA, as texts: their files are removed after the first test. */
export const AUTHORITY = {
  /** The CA's own certificate. */
  ca: issuer.cert,
  /** For loopback, `localhost` and `HOST`. */
  server: await issuer.issue(),
  otherHost: await issuer.issue({ hosts: ['other.example.test'] }),
  expired: await issuer.issue({ days: -1 }),
  /** For `HOST` only: the service's name, which no proxy has. */
  serviceOnly: await issuer.issue({ hosts: [HOST] }),
  byName: await issuer.issue({ hosts: ['localhost'] }),
  byAddress: await issuer.issue({ hosts: ['127.0.0.1'] }),
  client: await issuer.issue(),
  /** From another CA, which is not trusted. */
  stranger: await makeAuthority(),
} as const;

/** Most cases make one attempt and get no response. */
const BROKEN = { reason: 'connection', status: '', attempts: 1 } as const;
export const NOT_SENT = { ...BROKEN, result: 'not-sent' } satisfies Expected;
export const UNCONFIRMED = { ...BROKEN, result: 'unconfirmed' } satisfies Expected;
export const ACCEPTED = { result: 'accepted', reason: '', status: '200' } satisfies Expected;
/** A step that ends before it connects to anything. */
export const INVALID = {
  ...NOT_SENT,
  reason: 'inputs',
  attempts: 0,
  connections: 0,
} satisfies Expected;

// A step on a busy machine may need a second to start, and another one to connect: the stall limit counts
// from there, the time limit from the start. The time limit is well above the stall limit.

/** Inputs of a case that is ended by the stall limit. */
export const STALL = { 'stall-timeout-seconds': '2', 'timeout-seconds': '15' };
/** Inputs of a case that is ended by the time limit. */
export const SHORT = { 'timeout-seconds': '4' };

/** What a script reads first: the whole upload, only the head, one byte, or the head and a part of a large body. */
export const afterUpload = readFirst((peer) => peer.readUpload());
export const afterHead = readFirst((peer) => peer.readHead());
export const afterFirstByte = readFirst((peer) => peer.readBytes(1));
export const afterPart = readFirst(async (peer) => {
  await peer.readHeadAndContinue();
  await peer.readBytes(MIB);
});

function readFirst(read: (peer: Peer) => Promise<void>): (script: CaseScript) => CaseScript {
  return (script) => async (peer, scene, turn) => {
    await read(peer);
    await script(peer, scene, turn);
  };
}

/** A workspace with a scan file of so many MiB, whose content tells one offset from another. */
export function makeLarge(mebibytes: number): () => Tree {
  const [head, tail] = ['{"SchemaVersion":2,"Results":[],"Pad":"', '"}'];
  const pattern = Array.from({ length: 211 }, (_, index) => (index * 2_654_435_761).toString(36));
  const bytes = mebibytes * MIB - head.length - tail.length;
  const pad = (): Buffer => Buffer.alloc(bytes, pattern.join(''));
  return () => ({ 'scan.json': Buffer.concat([Buffer.from(head), pad(), Buffer.from(tail)]) });
}

/** A file that is inspected in part. */
export const large = makeLarge(33);
/** A file that is inspected whole, and still larger than the buffers of a connection. */
export const whole = makeLarge(16);

/** The workspace, the servers and the secrets of one case. */
export class Scene {
  readonly scope = new TestScope();
  readonly transport: Transport;
  readonly secrets: Secrets;
  readonly cancelling = new AbortController();
  /** When `cancel()` was called, by `performance.now()`. */
  cancelledAt: number | undefined;
  workspace = '';
  baseUrl = '';
  /** What the service must have received for the upload to count. */
  sent = { filename: '', content: Buffer.of() };
  proxy: Proxy | undefined;
  /** The port of `other`, or of a proxy, that the case has opened. */
  otherPort = 0;
  /** Servers that must see no connection. */
  readonly baits: RawServer[] = [];
  #server: RawServer | undefined;

  constructor({ secrets }: FaultCase, transport: Transport) {
    this.transport = transport;
    const proxied = transport.endsWith('proxy') ? 'proxy' : undefined;
    this.secrets = makeSecrets(AUTHORITY.client.key, secrets ?? proxied);
  }

  /** Makes the workspace and opens the service and, where the transport has one, the proxy. */
  async open(fault: FaultCase): Promise<void> {
    const { scope, isSecure, transport } = this;
    this.workspace = await makeFolder(fault.files?.() ?? { 'scan.json': REPORT }, scope);
    const { path, filename } = fault.sent ?? { path: 'scan.json', filename: 'scan.json' };
    this.sent = { filename, content: readFileSync(this.path(path)) };
    const { serve = (peer) => peer.readUpload().then(() => peer.reply(200)), other } = fault;
    const hasTls = fault.wire === undefined ? isSecure : fault.wire === 'tls';
    const tls = hasTls ? { ...AUTHORITY.server, ...fault.tls } : undefined;
    this.#server = await openServer((peer, turn) => serve(peer, this, turn), tls, scope);
    const { port } = this.#server;
    if (transport.endsWith('proxy')) this.proxy = await startProxy(port, undefined, scope);
    const host = this.proxy === undefined ? '127.0.0.1' : HOST;
    this.baseUrl = `${isSecure ? 'https' : 'http'}://${host}:${port}`;
    if (other === undefined) return;
    const play = (peer: Peer, turn: number): unknown =>
      peer.readHead().then(() => other(peer, this, turn));
    this.otherPort = (await openServer(play, undefined, scope)).port;
  }

  get isSecure(): boolean {
    return this.transport.startsWith('https');
  }

  get server(): RawServer {
    if (this.#server === undefined) throw new Error('The service is not open.');
    return this.#server;
  }

  /** The proxy variable for the transport's scheme. */
  get proxyVariable(): string {
    return this.isSecure ? 'https_proxy' : 'http_proxy';
  }

  /** The address of a proxy with credentials. */
  writeProxy(port: number, origin = 'http://127.0.0.1'): string {
    const password = encodeURIComponent(this.secrets.proxyPassword.value);
    return `${origin.replace('//', `//proxy-user:${password}@`)}:${port}`;
  }

  path(name: string): string {
    return join(this.workspace, name);
  }

  /** Opens a server that must see no connection, and returns its origin. */
  async bait(): Promise<string> {
    const tls = this.isSecure ? AUTHORITY.server : undefined;
    const bait = await openServer((peer) => peer.reply(200), tls, this.scope);
    this.baits.push(bait);
    return bait.origin;
  }

  /** Asks the step to stop, as the runner does. */
  cancel(): void {
    this.cancelledAt = performance.now();
    this.cancelling.abort();
  }
}
