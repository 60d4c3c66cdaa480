import type { Peer } from '../../support/peer.ts';
import { MIB } from '../../support/samples.ts';
import type { Expected, ServeCase } from './types.ts';

/** Most cases make one attempt and get no response. */
export const NOT_SENT = { result: 'not-sent', status: '', attempts: '1' } satisfies Expected;
export const UNCONFIRMED = { result: 'unconfirmed', status: '', attempts: '1' } satisfies Expected;
export const ACCEPTED = { result: 'accepted', status: '200' } satisfies Expected;

/** Reads the whole upload first. */
export function afterUpload(serve: ServeCase): ServeCase {
  return after((peer) => peer.readUpload(), serve);
}

/** Reads only the head of the request. */
export function afterHead(serve: ServeCase): ServeCase {
  return after((peer) => peer.readHead(), serve);
}

/** Reads one byte, of a TLS handshake if the client begins one. */
export function afterFirstByte(serve: ServeCase): ServeCase {
  return after((peer) => peer.readBytes(1), serve);
}

/** Reads the head and a part of a large body. */
export function afterPart(serve: ServeCase): ServeCase {
  return after(async (peer) => {
    await peer.readHeadAndContinue();
    await peer.readBytes(MIB);
  }, serve);
}

function after(read: (peer: Peer) => Promise<void>, serve: ServeCase): ServeCase {
  return async (peer, scene, turn) => {
    await read(peer);
    await serve(peer, scene, turn);
  };
}
