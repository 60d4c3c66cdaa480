import type { Reply } from '../../support/peer.ts';
import type { Scene } from '../harness/scene.ts';
import type { FaultCase, Seen } from '../harness/types.ts';
import { afterUpload } from '../harness/serve.ts';

/** What must also hold; returns problems. */
export type Check = (scene: Scene, seen: Seen) => readonly string[];

/** A response and the expected result. */
export interface Said {
  readonly row: string;
  readonly variant: string;
  /** 400 if absent. */
  readonly status?: number;
  readonly reply: (scene: Scene) => Reply;
  readonly check?: Check;
  readonly says?: RegExp;
  readonly result?: FaultCase['expected']['result'];
}

/** A refusal with a special text; reading it takes far less than 20 s. */
export function said(given: Said): FaultCase {
  const { row, variant, status = 400, reply, check, says, result = 'rejected' } = given;
  return {
    row,
    variant,
    transports: ['http'],
    inputs: () => ({ 'timeout-seconds': '20' }),
    serve: afterUpload((peer, scene) => peer.reply(status, reply(scene))),
    ...(check !== undefined && { check }),
    expected: { result, attempts: '1', ...(says !== undefined && { says }) },
  };
}

/** How much of a response is kept, in bytes. */
export const KEPT_BYTES = 64 * 1024;

/** `text` repeated up to a length in characters. */
export function fill(text: string, length = KEPT_BYTES): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}
