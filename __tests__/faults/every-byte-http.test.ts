import { describe, expect, test } from '@jest/globals';
import { openCourse } from './support/cut-exchanges.ts';
import type { Script } from './support/cutting.ts';
import {
  CHUNKED,
  MEASURED,
  REFUSAL,
  SWEEP_MS,
  UNFRAMED,
  allowComplete,
  allowUnanswered,
  countHead,
} from './support/scripts.ts';
import { findFaults, sweep } from './support/sweep.ts';
import type { Observation } from './support/sweep.ts';
import { countTaken, exchangeTight } from './support/tight-connection.ts';

const FRAMED: readonly [string, Script][] = [
  ['Content-Length', MEASURED],
  ['chunked', CHUNKED],
];

async function sweepAnswer(
  script: Script,
  allow: (observation: Observation) => readonly string[],
): Promise<readonly string[]> {
  const { lanes, exchange } = await openCourse(script);
  const offsets = { direction: 'answer', last: script.answer.length + 1 } as const;
  const seen = await sweep(lanes, offsets, exchange);
  expect(seen.filter(({ whole }) => !whole)).toEqual([]);
  return findFaults(seen, allow);
}

describe('over http', () => {
  test.each(FRAMED)(
    'an answer (%s) is one where it is complete',
    async (_, script) => {
      const faults = await sweepAnswer(script, ({ cut }) =>
        cut.bytes < script.answer.length ? ['unconfirmed'] : allowComplete(cut.ending),
      );
      expect(faults).toEqual([]);
    },
    SWEEP_MS,
  );

  // RFC 9112, section 8: nothing but the end of the connection tells where such an answer ends.
  test(
    'an unframed answer is one where its head is complete and no reset ends it',
    async () => {
      const faults = await sweepAnswer(UNFRAMED, ({ cut: { bytes, ending } }) => {
        const least = ending === 'FIN' ? countHead(UNFRAMED) : UNFRAMED.answer.length + 1;
        return bytes < least ? ['unconfirmed'] : ['accepted'];
      });
      expect(faults).toEqual([]);
    },
    SWEEP_MS,
  );

  test(
    'a refusal is one where its head is complete',
    async () => {
      const faults = await sweepAnswer(REFUSAL, ({ cut: { bytes } }) => [
        bytes < countHead(REFUSAL) ? 'unconfirmed' : 'rejected',
      ]);
      expect(faults).toEqual([]);
    },
    SWEEP_MS,
  );

  test(
    'a connection that takes no more than some bytes leaves no doubt',
    async () => {
      const total = await countTaken();
      const results = await Promise.all(
        Array.from({ length: total + 1 }, async (_, bytes) => exchangeTight(bytes)),
      );
      const wrong = results.flatMap((result, bytes) => {
        const right = bytes < total ? 'not-sent' : 'unconfirmed';
        return result === right ? [] : [`${result} instead of ${right} at ${bytes}`];
      });
      expect(wrong).toEqual([]);
    },
    SWEEP_MS,
  );

  test(
    'a request that is cut is never accepted',
    async () => {
      const { lanes, exchange, uncut } = await openCourse(MEASURED);
      const offsets = { direction: 'request', last: uncut.request + 1 } as const;
      const seen = await sweep(lanes, offsets, exchange);
      const faults = findFaults(seen, (observation) =>
        observation.cut.bytes > uncut.request ? ['accepted'] : allowUnanswered(observation),
      );
      expect(faults).toEqual([]);
      expect(seen.filter(({ cut, whole }) => whole !== cut.bytes >= uncut.request)).toEqual([]);
    },
    SWEEP_MS,
  );
});
