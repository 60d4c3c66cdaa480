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
