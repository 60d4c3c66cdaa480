import { describe, expect, test } from '@jest/globals';
import { openTlsCourse } from './support/cut-exchanges.ts';
import type { Course } from './support/cut-exchanges.ts';
import { countSecured } from './support/cutting.ts';
import {
  CHUNKED,
  MEASURED,
  SWEEP_MS,
  UNFRAMED,
  allowComplete,
  allowUnanswered,
} from './support/scripts.ts';
import { findFaults, sweep } from './support/sweep.ts';
import type { Observation } from './support/sweep.ts';

/** The TLS record that ends a connection. */
const CLOSE_NOTIFY_BYTES = 24;

/** Without a word of the server the client cannot have sent anything but its hello. */
async function allowEarly({
  lanes,
  exchange,
}: Course): Promise<(observation: Observation) => readonly string[]> {
  const [start] = await sweep(lanes, { direction: 'answer', last: 0, endings: ['FIN'] }, exchange);
  const hello = start?.offered ?? 0;
  expect(hello).toBeGreaterThan(0);
  return (observation) =>
    observation.offered <= hello ? ['not-sent'] : allowUnanswered(observation);
}

describe('over https', () => {
  test(
    'an answer is one where it is complete, cut at any byte of the connection',
    async () => {
      const course = await openTlsCourse(MEASURED);
      const { lanes, exchange, uncut } = course;
      const allow = await allowEarly(course);
      const offsets = { direction: 'answer', last: uncut.answer + 1 } as const;
      const faults = findFaults(await sweep(lanes, offsets, exchange), (observation) => {
        const { bytes, ending } = observation.cut;
        return bytes < uncut.answer ? allow(observation) : allowComplete(ending);
      });
      expect(faults).toEqual([]);
    },
    SWEEP_MS,
  );

  test(
    'a chunked answer is one where it is complete',
    async () => {
      const { lanes, exchange, uncut } = await openTlsCourse(CHUNKED);
      const first = uncut.answer - countSecured(CHUNKED) + 1;
      const offsets = { direction: 'answer', first, last: uncut.answer + 1 } as const;
      const faults = findFaults(await sweep(lanes, offsets, exchange), ({ cut }) =>
        cut.bytes < uncut.answer ? ['unconfirmed'] : allowComplete(cut.ending),
      );
      expect(faults).toEqual([]);
    },
    SWEEP_MS,
  );

  // Node does not tell a FIN without TLS's own goodbye from a clean end: only a RST is a cut here.
  test(
    'an unframed answer is one where no reset ends it',
    async () => {
      const { lanes, exchange, uncut } = await openTlsCourse(UNFRAMED);
      const first = uncut.answer - CLOSE_NOTIFY_BYTES - countSecured(UNFRAMED) + 1;
      const last = uncut.answer - 1;
      const offsets = { direction: 'answer', first, last, endings: ['RST'] } as const;
      const faults = findFaults(await sweep(lanes, offsets, exchange), () => ['unconfirmed']);
      expect(faults).toEqual([]);
    },
    SWEEP_MS,
  );

  test(
    'a request that is cut at any byte of the connection is never accepted',
    async () => {
      const course = await openTlsCourse(MEASURED);
      const { lanes, exchange, uncut } = course;
      const allow = await allowEarly(course);
      const offsets = { direction: 'request', last: uncut.request + 1 } as const;
      const seen = await sweep(lanes, offsets, exchange);
      const faults = findFaults(seen, (observation) =>
        observation.cut.bytes > uncut.request ? ['accepted'] : allow(observation),
      );
      expect(faults).toEqual([]);
      expect(seen.filter(({ cut, whole }) => whole !== cut.bytes >= uncut.request)).toEqual([]);
    },
    SWEEP_MS,
  );
});
