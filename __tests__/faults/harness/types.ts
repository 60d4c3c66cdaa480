import type { TlsOptions } from 'node:tls';
import type { SecretsInUse } from './secrets.ts';
import type { Scene } from './scene.ts';
import type { Peer } from '../../support/peer.ts';

/** How the action reaches the service; both proxies are asked by CONNECT. */
export type Transport = 'http' | 'https' | 'http-proxy' | 'https-proxy';

/** The `result` output. */
export type Result = 'accepted' | 'rejected' | 'not-sent' | 'unconfirmed';

/** Files of a workspace by relative path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A file part that the service must have got for an upload to count. */
export interface SentPart {
  readonly part: 'ScanJsonFile' | 'DependenciesCDX' | 'VulnerabilitiesTool';
  /** The workspace's file whose bytes it must carry, as they were before the run. */
  readonly path: string;
  /** The filename it must carry, where that is not the file's base name. */
  readonly filename?: string;
}

/** What a case must come to, beside the invariant. */
export interface Expected {
  /** More than one where the kernel's timing decides which. */
  readonly result: Result | readonly Result[];
  /** Exit code of a failure; 1 if absent. */
  readonly exitCode?: number;
  readonly status?: string;
  readonly attempts?: string;
  /** What the one annotation must say, title included; of a success, the log. */
  readonly says?: RegExp;
  /** Connections to the service, where it matters that there are so few or so many. */
  readonly connections?: number;
}

/** What a service does with a connection; the number is 1 for the first one. */
export type ServeCase = (peer: Peer, scene: Scene, turn: number) => unknown;

/** One fault, run once over each of its transports. */
export interface FaultCase {
  /** `F1` to `F38`, `S1` to `S12`, or `proxy`. */
  readonly row: string;
  readonly variant: string;
  /** http and https if absent. */
  readonly transports?: readonly Transport[];
  /** A small `scan.json` if absent. */
  readonly files?: () => Files;
  /** `scan.json` alone if absent. */
  readonly sent?: readonly SentPart[];
  /** These win over the ones every case has. */
  readonly inputs?: (scene: Scene) => Readonly<Record<string, string>>;
  readonly env?: (scene: Scene) => Readonly<Record<string, string>>;
  /** Further servers, links and the like. */
  readonly prepare?: (scene: Scene) => Promise<void> | void;
  /** What the service does; accepts every upload if absent. */
  readonly serve?: ServeCase;
  /** Secrets that the case gives to the action by itself. */
  readonly secrets?: Partial<SecretsInUse>;
  /** What the service's port speaks, where it is not what the transport asks for. */
  readonly wire?: 'tcp' | 'tls';
  /** TLS options of the service beside its key and certificate; they win over those. */
  readonly tls?: (scene: Scene) => TlsOptions;
  /** The signal by which `scene.cancel()` ends the step; SIGINT if absent. */
  readonly killSignal?: NodeJS.Signals;
  /** Called with each line that the step writes, as it writes it. */
  readonly onLine?: (line: string, scene: Scene) => void;
  readonly expected: Expected;
  /** Needs FIFOs, signals or names that Windows does not have. */
  readonly posixOnly?: boolean;
  /** What must also hold; returns problems. */
  readonly check?: (scene: Scene, seen: Seen) => readonly string[];
}

/** What a run showed, as far as single cases ask. */
export interface Seen {
  readonly outputs: Readonly<Record<string, string>>;
  readonly masks: readonly string[];
  readonly summary: string;
  readonly log: string;
}
