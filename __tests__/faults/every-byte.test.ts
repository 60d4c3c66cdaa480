import { describe, expect, test } from '@jest/globals';
import type { Ending, FixedResponse } from './support/cutting-server.ts';
import { listCuts, observe, openCourse } from './support/sweep.ts';
import type { Observation } from './support/sweep.ts';

// An exchange is cut at every byte of the request and of the response, with a FIN and with a RST. It succeeds
// only if the response is complete.

/** Far more than a sweep takes on a busy machine. */
const SWEEP_MS = 60_000;

const OK = 'HTTP/1.1 200 OK\r\nServer: scan-upload-service\r\nContent-Type: application/json\r\n';
const STORED = '{"id":"3fa85f64-5717-4562-b3fc-2c963f66afa6"}';
const [START, REST] = [STORED.slice(0, 16), STORED.slice(16)];
const PROBLEM = '{"detail":"The scan is closed."}';
const PROBLEM_HEAD = 'HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\n';

const MEASURED = makeResponse(`${OK}Content-Length: ${STORED.length}\r\n\r\n${STORED}`);
const CHUNKED = makeResponse(
  `${OK}Transfer-Encoding: chunked\r\n\r\n10;x=y\r\n${START}\r\n1d\r\n${REST}\r\n0\r\n\r\n`,
);
// Of JSON the parser would see the cut.
const UNFRAMED = makeResponse('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nStored: 3fa85f64', true);
const REFUSAL = makeResponse(`${PROBLEM_HEAD}Content-Length: ${PROBLEM.length}\r\n\r\n${PROBLEM}`);

function makeResponse(response: string, ends = false): FixedResponse {
  return { bytes: Buffer.from(response), ends };
}

/** Bytes of a response's status line and headers. */
function countHead({ bytes }: FixedResponse): number {
  return bytes.indexOf('\r\n\r\n') + 4;
}

/** The results of a complete response. On other systems than Linux a RST drops what came before it and has not been read. */
function allowComplete(ending: Ending, result = 'accepted'): readonly string[] {
  const isCertain = ending === 'FIN' || process.platform === 'linux';
  return isCertain ? [result] : [result, 'unconfirmed'];
}

/** The results without a response: the data that the client sent may have been lost. */
function allowUnanswered({ whole }: Observation): readonly string[] {
  return whole ? ['unconfirmed'] : ['not-sent', 'unconfirmed'];
}

/** The first unexpected results. */
function listFaults(
  seen: readonly Observation[],
  allow: (observation: Observation) => readonly string[],
): readonly string[] {
  return seen
    .filter((each) => !allow(each).includes(each.value))
    .map(({ cut: { bytes, ending }, value }) => `${ending} after ${bytes} bytes: ${value}`)
    .slice(0, 20);
}

describe('over http', () => {
  test.each<[string, FixedResponse, string, (ending: Ending) => number]>([
    [
      'a response by length only if it is complete',
      MEASURED,
      'accepted',
      () => MEASURED.bytes.length,
    ],
    [
      'a response in chunks only if it is complete',
      CHUNKED,
      'accepted',
      () => CHUNKED.bytes.length,
    ],
    // RFC 9112, section 8: nothing but the end of the connection tells where such a response ends.
    [
      'an unframed response only if its headers are complete and no reset ends it',
      UNFRAMED,
      'accepted',
      (ending) => (ending === 'FIN' ? countHead(UNFRAMED) : UNFRAMED.bytes.length + 1),
    ],
    ['a refusal only if its headers are complete', REFUSAL, 'rejected', () => countHead(REFUSAL)],
  ])(
    'believes %s',
    async (_, fixed, result, countEnough) => {
      const cuts = listCuts('response', fixed.bytes.length + 1);
      const seen = await observe(await openCourse(fixed), cuts);
      const faults = listFaults(seen, ({ cut: { bytes, ending } }) =>
        bytes < countEnough(ending) ? ['unconfirmed'] : allowComplete(ending, result),
      );
      expect(faults).toEqual([]);
    },
    SWEEP_MS,
  );
});

describe.each(['http', 'https'])('over %s', (scheme) => {
  test(
    'never accepts a request that is cut',
    async () => {
      const isSecure = scheme === 'https';
      const course = await openCourse(MEASURED, isSecure);
      const { request } = course.uncut;
      const seen = await observe(course, listCuts('request', request + 1, isSecure));
      const faults = listFaults(seen, (observation) =>
        observation.cut.bytes > request ? ['accepted'] : allowUnanswered(observation),
      );
      expect(faults).toEqual([]);
      expect(seen.filter(({ cut, whole }) => whole !== cut.bytes >= request)).toEqual([]);
    },
    SWEEP_MS,
  );
});

describe('over https', () => {
  test(
    'believes a response only if it is complete, cut at any byte of the connection',
    async () => {
      const course = await openCourse(MEASURED, true);
      const { response } = course.uncut;
      const seen = await observe(course, listCuts('response', response + 1, true));
      // Without a word of the server the client cannot have sent anything but its hello.
      const hello = seen.find(({ cut }) => cut.bytes === 0)?.offered ?? 0;
      expect(hello).toBeGreaterThan(0);
      const faults = listFaults(seen, (observation) => {
        const { bytes, ending } = observation.cut;
        if (bytes >= response) return allowComplete(ending);
        return observation.offered <= hello ? ['not-sent'] : allowUnanswered(observation);
      });
      expect(faults).toEqual([]);
    },
    SWEEP_MS,
  );
});
