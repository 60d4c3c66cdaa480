import { describe, expect, test } from '@jest/globals';
import { makeWorkspace, runAction } from '../action/fixtures.ts';
import { openCourse, openLanes, openTlsCourse } from './support/cut-exchanges.ts';
import type { Course } from './support/cut-exchanges.ts';
import { countSecured } from './support/cutting.ts';
import type { Ending, Script } from './support/cutting.ts';
import { findFaults, sweep } from './support/sweep.ts';
import type { Observation } from './support/sweep.ts';
import { countTaken, exchangeTight } from './support/tight-connection.ts';

// An exchange is cut at every byte of the request and of the answer, with a FIN and with a RST. It
// succeeds where the answer was complete, and nowhere else.

const SWEEP_MS = 280_000;
/** Actions at the same time. */
const STEPS = 3;
/** The TLS record that ends a connection. */
const CLOSE_NOTIFY_BYTES = 24;

const OK = 'HTTP/1.1 200 OK\r\nServer: scan-upload-service\r\nContent-Type: application/json\r\n';
const STORED = '{"id":"3fa85f64-5717-4562-b3fc-2c963f66afa6"}';
const [START, REST] = [STORED.slice(0, 16), STORED.slice(16)];
const MEASURED = makeScript(`${OK}Content-Length: ${STORED.length}\r\n\r\n${STORED}`);
const CHUNKED = makeScript(
  `${OK}Transfer-Encoding: chunked\r\n\r\n10;x=y\r\n${START}\r\n1d\r\n${REST}\r\n0\r\n\r\n`,
);
const UNFRAMED = makeScript(`${OK}Connection: close\r\n\r\n${STORED}`, true);
const PROBLEM = '{"detail":"The scan is closed."}';
const REFUSAL = makeScript(
  `HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nContent-Length: ${PROBLEM.length}\r\n\r\n${PROBLEM}`,
);
const FRAMED: readonly [string, Script][] = [
  ['Content-Length', MEASURED],
  ['chunked', CHUNKED],
];

const STEP_ENDS = {
  accepted: 'exit 0, true, accepted',
  unconfirmed: 'exit 1, false, unconfirmed',
} as const;

function makeScript(answer: string, ends = false): Script {
  return { answer: Buffer.from(answer), ends };
}

function countHead({ answer }: Script): number {
  return answer.indexOf('\r\n\r\n') + 4;
}

/** On other systems than Linux a RST drops what came before it and has not been read. */
function allowComplete(ending: Ending): readonly ('accepted' | 'unconfirmed')[] {
  const isCertain = ending === 'FIN' || process.platform === 'linux';
  return isCertain ? ['accepted'] : ['accepted', 'unconfirmed'];
}

/** Where no answer came: what left the client may have been lost on its way. */
function allowUnanswered({ whole }: Observation): readonly string[] {
  return whole ? ['unconfirmed'] : ['not-sent', 'unconfirmed'];
}

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

describe('the action', () => {
  test(
    'succeeds where the answer is complete',
    async () => {
      const workspace = await makeWorkspace();
      const offsets = { direction: 'answer', last: MEASURED.answer.length } as const;
      const lanes = await openLanes(MEASURED, STEPS);
      const seen = await sweep(lanes, offsets, async ({ port }) => {
        const inputs = { 'base-url': `http://127.0.0.1:${port}`, retries: '0' };
        const { exitCode, outputs } = await runAction(workspace, inputs);
        return `exit ${exitCode}, ${outputs.uploaded}, ${outputs.result}`;
      });
      const faults = findFaults(seen, ({ cut: { bytes, ending } }) =>
        bytes < MEASURED.answer.length
          ? [STEP_ENDS.unconfirmed]
          : allowComplete(ending).map((result) => STEP_ENDS[result]),
      );
      expect(faults).toEqual([]);
    },
    SWEEP_MS,
  );
});
