import type { Reason } from '../../../src/outcomes/reasons.ts';
import type { TlsOptions } from 'node:tls';
import type { StepRun } from '../../../local/step/index.ts';
import type { UploadResult } from '../../../src/outcomes/situations.ts';
import type { SecretsInUse } from './secrets.ts';
import type { Scene } from './scene.ts';
import type { Peer } from '../../support/peer.ts';

/** How the action reaches the service; both proxies are asked by CONNECT. */
export type Transport = 'http' | 'https' | 'http-proxy' | 'https-proxy';

/** Files of a workspace by relative path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** The expected outputs of a case, in addition to the invariant. */
export interface Expected {
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

/** What a service does with a connection; the number is 1 for the first one. */
export type CaseScript = (peer: Peer, scene: Scene, turn: number) => unknown;

/** One fault, run once over each of its transports. */
export interface FaultCase {
  readonly name: string;
  /** http or https in turn if absent. */
  readonly transports?: readonly Transport[];
  /** A small `scan.json` if absent. */
  readonly files?: () => Files;
  /** The scan file, and the filename with which it must arrive; `scan.json` if absent. */
  readonly sent?: { readonly path: string; readonly filename: string };
  /** They replace the inputs that every case has. */
  readonly inputs?: (scene: Scene) => Readonly<Record<string, string>>;
  readonly env?: (scene: Scene) => Readonly<Record<string, string>>;
  /** What another server does, a proxy or an identity provider, once it has read a head. */
  readonly other?: CaseScript;
  /** Links and the like. */
  readonly prepare?: (scene: Scene) => Promise<void> | void;
  /** What the service does; accepts every upload if absent. */
  readonly serve?: CaseScript;
  /** Secrets that the case gives to the action by itself. */
  readonly secrets?: Partial<SecretsInUse>;
  /** The protocol of the service's port, if it is not that of the transport. */
  readonly wire?: 'tcp' | 'tls';
  /** TLS options of the service beside its key and certificate; they win over those. */
  readonly tls?: TlsOptions;
  /** Called with each line that the step writes, as it writes it. */
  readonly onLine?: (line: string, scene: Scene) => void;
  readonly expected: Expected;
  /** Needs FIFOs, signals or names that Windows does not have. */
  readonly posixOnly?: boolean;
  /** What must also hold; returns problems. */
  readonly check?: (scene: Scene, run: StepRun) => readonly string[];
}
