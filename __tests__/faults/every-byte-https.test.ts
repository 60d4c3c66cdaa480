import { describe, expect, test } from '@jest/globals';
import { openTlsCourse } from './support/cut-exchanges.ts';
import type { Course } from './support/cut-exchanges.ts';
import { MEASURED, SWEEP_MS, allowComplete, allowUnanswered } from './support/fixed-responses.ts';
import { findFaults, sweep } from './support/sweep.ts';
import type { Observation } from './support/sweep.ts';

/** Without a word of the server the client cannot have sent anything but its hello. */
async function allowEarly({
  servers,
  exchange,
}: Course): Promise<(observation: Observation) => readonly string[]> {
  const [start] = await sweep(
    servers,
    { direction: 'response', last: 0, endings: ['FIN'] },
    exchange,
  );
  const hello = start?.offered ?? 0;
  expect(hello).toBeGreaterThan(0);
  return (observation) =>
    observation.offered <= hello ? ['not-sent'] : allowUnanswered(observation);
}

describe('over https', () => {
  test(
    'accepts a response only if it is complete, cut at any byte of the connection',
    async () => {
      const course = await openTlsCourse(MEASURED);
      const { servers, exchange, uncut } = course;
      const allow = await allowEarly(course);
      const last = uncut.response + 1;
      const offsets = { direction: 'response', last, endings: 'in turn' } as const;
      const faults = findFaults(await sweep(servers, offsets, exchange), (observation) => {
        const { bytes, ending } = observation.cut;
        return bytes < uncut.response ? allow(observation) : allowComplete(ending);
      });
      expect(faults).toEqual([]);
    },
    SWEEP_MS,
  );

  test(
    'a request that is cut at any byte of the connection is never accepted',
    async () => {
      const course = await openTlsCourse(MEASURED);
      const { servers, exchange, uncut } = course;
      const allow = await allowEarly(course);
      const last = uncut.request + 1;
      const offsets = { direction: 'request', last, endings: 'in turn' } as const;
      const seen = await sweep(servers, offsets, exchange);
      const faults = findFaults(seen, (observation) =>
        observation.cut.bytes > uncut.request ? ['accepted'] : allow(observation),
      );
      expect(faults).toEqual([]);
      expect(seen.filter(({ cut, whole }) => whole !== cut.bytes >= uncut.request)).toEqual([]);
    },
    SWEEP_MS,
  );
});
