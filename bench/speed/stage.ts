import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeSparse, writeInventory, writeLarge } from './files.ts';
import { makeKeyPair } from './key-pair.ts';
import type { KeyPair } from './key-pair.ts';
import { buildPeer } from './peer.ts';
import { writeScans } from './scans.ts';
import type { Scans } from './scans.ts';
import { startDiscard, startSink } from './service.ts';
import type { Service } from './service.ts';
import { fillWorkspace, makeLonelyWorkspace } from './workspace.ts';

/** What several lines run on, each piece made when the first of them needs it. Paths are absolute. */
export interface Stage {
  /** Temporary; everything else is in it. */
  readonly folder: string;
  /** The folder that the files are in. */
  readonly workspace: string;
  /** A CycloneDX inventory of about so many bytes. */
  readonly inventory: (bytes: number) => string;
  /** A JSON file of so many MiB. */
  readonly large: (mebibytes: number) => string;
  /** The same with next to nothing on the disk. */
  readonly sparse: (mebibytes: number) => string;
  /** So many scans with a file of 20 KB each. */
  readonly scans: (count: number) => Scans;
  /** A workspace of 200,000 files. */
  readonly fullWorkspace: () => string;
  /** A workspace of one file. */
  readonly lonelyWorkspace: () => string;
  /** The bundle of the usual way to upload. */
  readonly peer: () => Promise<string>;
  /** A key pair for loopback that is its own authority. */
  readonly keyPair: () => Promise<KeyPair>;
  readonly service: () => Promise<Service>;
  readonly secureService: () => Promise<Service>;
  /** The same, so many milliseconds away. */
  readonly distantService: (latencyMs: number) => Promise<Service>;
  /** What the service is compared with: it does as little as it can. */
  readonly discard: () => Promise<Service>;
  /** Ends the services. */
  readonly close: () => Promise<void>;
}

/** Sets the stage in a folder. */
export function setStage(folder: string): Stage {
  const workspace = join(folder, 'files');
  mkdirSync(workspace);
  const file = (name: string, write: Write): string => makeOnce(join(workspace, name), write);
  const services: Service[] = [];
  const keep = (service: Service): Service => {
    services.push(service);
    return service;
  };
  const keyPair = once(() => makeKeyPair(folder));
  const scans = new Map<number, Scans>();
  return {
    folder,
    workspace,
    inventory: (bytes) => file(`inventory-${bytes}.json`, (path) => writeInventory(path, bytes)),
    large: (size) => file(`large-${size}.json`, (path) => writeLarge(path, size)),
    sparse: (size) => file(`sparse-${size}.json`, (path) => makeSparse(path, size)),
    scans: (count) => {
      const made = scans.get(count) ?? writeScans(workspace, count);
      scans.set(count, made);
      return made;
    },
    fullWorkspace: () => makeOnce(join(folder, 'full'), fillWorkspace),
    lonelyWorkspace: () => makeOnce(join(folder, 'lonely'), makeLonelyWorkspace),
    peer: once(() => buildPeer(join(folder, 'peer'))),
    keyPair,
    service: once(async () => keep(await startSink())),
    secureService: once(async () => keep(await startSink({ keyPair: await keyPair() }))),
    distantService: async (latencyMs) =>
      keep(await startSink({ keyPair: await keyPair(), latencyMs })),
    discard: once(async () => keep(await startDiscard())),
    close: async () => {
      await Promise.all(services.map((service) => service.close()));
    },
  };
}

type Write = (path: string) => void;

function makeOnce(path: string, write: Write): string {
  if (!existsSync(path)) write(path);
  return path;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
