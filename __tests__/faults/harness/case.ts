import type { TlsOptions } from 'node:tls';
import type { StepRun } from '../../../local/step/index.ts';
import type { UploadResult } from '../../../src/outcomes/results.ts';
import type { Reason } from '../../../src/outcomes/situations.ts';
import { HOST, makeAuthority } from '../../support/network.ts';
import type { Certificate, Proxy } from '../../support/network.ts';
import type { Peer, RawServer } from '../../support/servers.ts';
import type { Tree, TestScope } from '../../support/workspace.ts';
import { MIB } from '../../support/workspace.ts';
import type { Secrets } from './secrets.ts';

/** How the action reaches the service; both proxies are asked by CONNECT. */
type Transport = 'http' | 'https' | 'http-proxy' | 'https-proxy';
type Texts = Readonly<Record<string, string>>;

/** What a server does with a connection; the number is 1 for the first one. */
export type CaseScript = (peer: Peer, scene: Scene, turn: number) => unknown;

/** The expected outputs of a case, in addition to what holds for each. */
interface Expected {
  readonly result: UploadResult;
  /** Empty for a success. */
  readonly reason: Reason | '';
  /** Exit code of a failure; 1 if absent. */
  readonly exitCode?: number;
  readonly status?: string;
  readonly attempts?: number;
  /** Number of connections to the service, if it matters. */
  readonly connections?: number;
}

/** One fault. */
export interface FaultCase {
  readonly name: string;
  /** http if absent. */
  readonly transport?: Transport;
  /** The scan file; a small `scan.json` if absent. */
  readonly files?: () => Tree;
  /** They replace the inputs that every case has. */
  readonly inputs?: (scene: Scene) => Texts;
  readonly env?: (scene: Scene) => Texts;
  /** What another server does, a proxy or an identity provider, once it has read a head; if absent, nobody may ask it. */
  readonly other?: CaseScript;
  /** Links and the like. */
  readonly prepare?: (scene: Scene) => Promise<void> | void;
  /** What the service does; accepts every upload if absent. */
  readonly serve?: CaseScript;
  /** Secrets that the case gives to the action by itself. */
  readonly secrets?: 'proxy' | 'identity';
  /** TLS options of the service; they win over its key and certificate. */
  readonly tls?: TlsOptions;
  /** Makes the transport's proxy an https proxy. */
  readonly proxyTls?: Certificate;
  /** Called with each line that the step writes, as it writes it. */
  readonly onLine?: (line: string, scene: Scene) => void;
  readonly expected: Expected;
  /** Needs FIFOs, signals or names that Windows does not have. */
  readonly posixOnly?: boolean;
  /** What must also hold; returns problems. */
  readonly check?: (scene: Scene, run: StepRun) => readonly string[];
}

/** The workspace, the servers and the secrets of one case. */
export interface Scene {
  readonly scope: TestScope;
  readonly isSecure: boolean;
  readonly secrets: Secrets;
  readonly path: (name: string) => string;
  readonly server: RawServer;
  readonly baseUrl: string;
  /** The transport's proxy. */
  readonly proxy: Proxy | undefined;
  readonly other: RawServer;
  /** The proxy variable for the transport's scheme. */
  readonly proxyVariable: string;
  /** The address of a proxy with credentials. */
  readonly writeProxy: (port: number, origin?: string) => string;
  /** Asks the step to stop, as the runner does. */
  readonly cancel: () => void;
  /** Fired by `cancel`. */
  readonly signal: AbortSignal;
  /** What the service must have received for the upload to count. */
  readonly sent: { readonly filename: string; readonly content: Buffer };
}

const issuer = await makeAuthority();

/** The certificates of a private CA. */
export const AUTHORITY = {
  /** The CA's own certificate. */
  ca: issuer.cert,
  /** For loopback, `localhost` and `HOST`. */
  server: await issuer.issue(),
  otherHost: await issuer.issue(['other.example.test']),
  /** For `HOST` only: the service's name, which no proxy has. */
  serviceOnly: await issuer.issue([HOST]),
  client: await issuer.issue(),
} as const;

/** Most cases make one attempt and get no response. */
const BROKEN = { reason: 'connection', status: '', attempts: 1 } as const;
export const NOT_SENT = { ...BROKEN, result: 'not-sent' } satisfies Expected;
export const UNCONFIRMED = { ...BROKEN, result: 'unconfirmed' } satisfies Expected;
export const ACCEPTED = { result: 'accepted', reason: '', status: '200' } satisfies Expected;
/** A step that ends before it connects to anything. */
const UNSTARTED = { ...NOT_SENT, attempts: 0, connections: 0 } as const;
export const INVALID = { ...UNSTARTED, reason: 'inputs' } satisfies Expected;
export const UNUSABLE = { ...UNSTARTED, reason: 'files' } satisfies Expected;

/** Inputs of a case that is ended by the stall limit. */
export const STALL = { 'stall-timeout-seconds': '2' };
/** Inputs of a case that is ended by the time limit, on a busy machine perhaps before it has sent anything. */
export const SHORT = { 'timeout-seconds': '3' };

/** What a script reads first: the whole upload, only the head, or the head and a part of a large body. */
export const afterUpload = readFirst((peer) => peer.readUpload());
export const afterHead = readFirst((peer) => peer.readHead());
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

/** A workspace with a scan file of so many MiB; one of 33 MiB is inspected in part. */
export function makeLarge(mebibytes: number): () => Tree {
  const [head, tail] = ['{"SchemaVersion":2,"Results":[', ']}'];
  return () => ({ 'scan.json': `${head}${' '.repeat(mebibytes * MIB)}${tail}` });
}
