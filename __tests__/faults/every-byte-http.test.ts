import { describe, expect, test } from '@jest/globals';
import { openCourse } from './support/cut-exchanges.ts';
import type { FixedResponse } from './support/cutting-server.ts';
import {
  CHUNKED,
  MEASURED,
  REFUSAL,
  SWEEP_MS,
  UNFRAMED,
  allowComplete,
  allowUnanswered,
  countHead,
} from './support/fixed-responses.ts';
import { findFaults, sweep } from './support/sweep.ts';
import type { Observation } from './support/sweep.ts';

const FRAMED: readonly [string, FixedResponse][] = [
  ['Content-Length', MEASURED],
  ['chunked', CHUNKED],
];

async function sweepResponse(
  fixed: FixedResponse,
  allow: (observation: Observation) => readonly string[],
): Promise<readonly string[]> {
  const { servers, exchange } = await openCourse(fixed);
  const offsets = { direction: 'response', last: fixed.bytes.length + 1 } as const;
  const seen = await sweep(servers, offsets, exchange);
  expect(seen.filter(({ whole }) => !whole)).toEqual([]);
  return findFaults(seen, allow);
}

describe('over http', () => {
  test.each(FRAMED)(
    'accepts a response (%s) only if it is complete',
    async (_, fixed) => {
      const faults = await sweepResponse(fixed, ({ cut }) =>
        cut.bytes < fixed.bytes.length ? ['unconfirmed'] : allowComplete(cut.ending),
      );
      expect(faults).toEqual([]);
    },
    SWEEP_MS,
  );

  // RFC 9112, section 8: nothing but the end of the connection tells where such a response ends.
  test(
    'accepts an unframed response only if its headers are complete and no reset ends it',
    async () => {
      const faults = await sweepResponse(UNFRAMED, ({ cut: { bytes, ending } }) => {
        const least = ending === 'FIN' ? countHead(UNFRAMED) : UNFRAMED.bytes.length + 1;
        return bytes < least ? ['unconfirmed'] : ['accepted'];
      });
      expect(faults).toEqual([]);
    },
    SWEEP_MS,
  );

  test(
    'reports a refusal only if its headers are complete',
    async () => {
      const faults = await sweepResponse(REFUSAL, ({ cut: { bytes } }) => [
        bytes < countHead(REFUSAL) ? 'unconfirmed' : 'rejected',
      ]);
      expect(faults).toEqual([]);
    },
    SWEEP_MS,
  );

  test(
    'a request that is cut is never accepted',
    async () => {
      const { servers, exchange, uncut } = await openCourse(MEASURED);
      const offsets = { direction: 'request', last: uncut.request + 1 } as const;
      const seen = await sweep(servers, offsets, exchange);
      const faults = findFaults(seen, (observation) =>
        observation.cut.bytes > uncut.request ? ['accepted'] : allowUnanswered(observation),
      );
      expect(faults).toEqual([]);
      expect(seen.filter(({ cut, whole }) => whole !== cut.bytes >= uncut.request)).toEqual([]);
    },
    SWEEP_MS,
  );
});
