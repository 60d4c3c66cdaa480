import type { Peer } from '../../support/peer.ts';
import { MIB } from '../../support/samples.ts';
import type { CaseScript, Expected } from './types.ts';

/** Most cases make one attempt and get no response. */
const BROKEN = { reason: 'connection', status: '', attempts: 1 } as const;
export const NOT_SENT = { ...BROKEN, result: 'not-sent' } satisfies Expected;
export const UNCONFIRMED = { ...BROKEN, result: 'unconfirmed' } satisfies Expected;
export const ACCEPTED = { result: 'accepted', reason: '', status: '200' } satisfies Expected;
/** A step that ends before it connects to anything. */
export const INVALID = {
  result: 'not-sent',
  reason: 'inputs',
  status: '',
  attempts: 0,
  connections: 0,
} satisfies Expected;

/** Reads the whole upload first. */
export function afterUpload(script: CaseScript): CaseScript {
  return after((peer) => peer.readUpload(), script);
}

/** Reads only the head of the request. */
export function afterHead(script: CaseScript): CaseScript {
  return after((peer) => peer.readHead(), script);
}

/** Reads one byte, of a TLS handshake if the client begins one. */
export function afterFirstByte(script: CaseScript): CaseScript {
  return after((peer) => peer.readBytes(1), script);
}

/** Reads the head and a part of a large body. */
export function afterPart(script: CaseScript): CaseScript {
  return after(async (peer) => {
    await peer.readHeadAndContinue();
    await peer.readBytes(MIB);
  }, script);
}

function after(read: (peer: Peer) => Promise<void>, script: CaseScript): CaseScript {
  return async (peer, scene, turn) => {
    await read(peer);
    await script(peer, scene, turn);
  };
}

// A step on a busy machine may need a second to start, and another one to connect: the stall limit counts
// from there, the time limit from the start. The time limit is well above the stall limit.

/** Inputs of a case that is ended by the stall limit. */
export const STALL = { 'stall-timeout-seconds': '2', 'timeout-seconds': '20' };

/** Inputs of a case that is ended by the time limit. */
export const SHORT = { 'timeout-seconds': '4' };

/** A scan file of exactly so many bytes: JSON, with a content that tells one offset from another. */
function makeReport(bytes: number): Buffer {
  const head = Buffer.from('{"SchemaVersion":2,"Results":[],"Pad":"');
  const tail = Buffer.from('"}');
  const pattern = Array.from({ length: 211 }, (_, index) => (index * 2_654_435_761).toString(36));
  const pad = Buffer.alloc(bytes - head.length - tail.length, pattern.join(''));
  return Buffer.concat([head, pad, tail]);
}

/** A workspace with such a scan file, to be made when the case runs. */
export function makeLarge(mebibytes: number): () => Readonly<Record<string, Buffer>> {
  return () => ({ 'scan.json': makeReport(mebibytes * MIB) });
}

/** A file that is inspected in part. */
export const large = makeLarge(33);
/** A file that is inspected whole, and still larger than the buffers of a connection. */
export const whole = makeLarge(16);
