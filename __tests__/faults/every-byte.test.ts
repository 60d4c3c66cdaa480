import { constants } from 'node:crypto';
import { Agent } from 'node:https';
import { createSecureContext } from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import { judge } from '../../src/outcomes/judge.ts';
import { findResult } from '../../src/outcomes/situations.ts';
import { makeBody } from '../support/bodies.ts';
import { makeCertificate } from '../support/certificates.ts';
import { exchangeWith } from '../support/exchanges.ts';
import { CuttingServer } from './support/cutting-server.ts';
import type { Cut, Direction, Ending, FixedResponse, Traffic } from './support/cutting-server.ts';

// An exchange is cut at bytes of the request and of the response, with a FIN and with a RST. It succeeds only if
// the response is complete. Single exchanges do not ask with `Expect`.

/** Far more than a sweep takes on a busy machine. */
const SWEEP_MS = 60_000;
/** Far more than an exchange takes: a cut must be noticed by itself, not by a limit. */
const HUNG_MS = 15_000;
/** A limit that is never the first to fire. */
const PATIENT_MS = 4 * HUNG_MS;
const SERVERS = 8;

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

/** One exchange that was cut: where, what passed, and its result. */
interface Observation extends Traffic {
  readonly cut: Cut;
  readonly value: string;
}

interface Course {
  /** Runs an exchange for each cut, on several servers. */
  readonly observe: (cuts: readonly Cut[]) => Promise<readonly Observation[]>;
  /** The bytes that pass where nothing is cut. */
  readonly uncut: Traffic;
}

/** Over https, bytes are as many every time: there are no tickets, and the key shares have a fixed size. */
async function openCourse(fixed: FixedResponse, isSecure = false): Promise<Course> {
  const { key, cert } = await makeCertificate('localhost', 2048);
  const ecdhCurve = 'X25519';
  const secureOptions = constants.SSL_OP_NO_TICKET;
  const secure = createSecureContext({ key, cert, secureOptions, ecdhCurve });
  const secureContext = createSecureContext({ ca: cert, ecdhCurve });
  const agent = new Agent({ keepAlive: false, maxCachedSessions: 0, secureContext });
  const body = await makeBody('{"SchemaVersion":2,"Results":[]}');
  const limits = { stallMs: PATIENT_MS, headMs: PATIENT_MS };
  const run = (server: CuttingServer, cut?: Cut) =>
    server.run(cut, async () => {
      const url = new URL(`${isSecure ? 'https' : 'http'}://127.0.0.1:${server.port}/upload`);
      const signal = AbortSignal.timeout(HUNG_MS);
      const setting = { body, limits, signal, ...(isSecure && { agent }) };
      const attempt = await exchangeWith(url, setting);
      const situation = judge(attempt, false);
      const result = situation === undefined ? 'accepted' : findResult(situation, attempt.isSent);
      return signal.aborted ? `hung (${result})` : result;
    });
  const opening = Array.from({ length: SERVERS }, () =>
    CuttingServer.open(fixed, isSecure ? secure : undefined),
  );
  const servers = await Promise.all(opening);
  const [uncut] = await Promise.all(servers.map((server) => run(server)));
  if (uncut === undefined) throw new Error('There are no servers.');
  const observe: Course['observe'] = async (cuts) => {
    const left = [...cuts];
    const seen: Observation[] = [];
    const work = async (server: CuttingServer): Promise<void> => {
      for (let cut = left.shift(); cut !== undefined; cut = left.shift()) {
        const observation = await run(server, cut);
        seen.push({ ...observation, cut });
        // One is enough to know; all of them would take an hour.
        if (observation.value.startsWith('hung')) left.length = 0;
      }
    };
    await Promise.all(servers.map(work));
    return seen;
  };
  return { observe, uncut };
}

/** Cuts at every `step`th byte up to `last` and at the last three ones, by both endings in turn. */
function listCuts(direction: Direction, last: number, step: number): readonly Cut[] {
  const offsets = Array.from({ length: last + 1 }, (_, bytes) => bytes);
  return (['FIN', 'RST'] as const).flatMap((ending, index) =>
    offsets
      .filter((bytes) => bytes > last - 3 || (bytes + index) % step === 0)
      .map((bytes) => ({ direction, bytes, ending })),
  );
}

/** The results of a complete response. On other systems than Linux a RST drops what came before it and has not been read. */
function allowComplete(ending: Ending, result = 'accepted'): readonly string[] {
  const isCertain = ending === 'FIN' || process.platform === 'linux';
  return isCertain ? [result] : [result, 'unconfirmed'];
}

/** The results without a response: the data that the client sent may have been lost. */
function allowUnanswered({ whole }: Traffic): readonly string[] {
  return whole ? ['unconfirmed'] : ['not-sent', 'unconfirmed'];
}

/** The first unexpected results of an exchange that is cut at each of these bytes. */
async function findFaults(
  { observe }: Course,
  cuts: readonly Cut[],
  allow: (observation: Observation) => readonly string[],
): Promise<readonly string[]> {
  return (await observe(cuts))
    .filter((each) => !allow(each).includes(each.value))
    .map(({ cut: { bytes, ending }, value }) => `${ending} after ${bytes} bytes: ${value}`)
    .slice(0, 20);
}

describe('over http', () => {
  test.each<[string, FixedResponse, string, (ending: Ending) => number]>([
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
      const cuts = listCuts('response', fixed.bytes.length + 1, 1);
      const faults = await findFaults(
        await openCourse(fixed),
        cuts,
        ({ cut: { bytes, ending } }) =>
          bytes < countEnough(ending) ? ['unconfirmed'] : allowComplete(ending, result),
      );
      expect(faults).toEqual([]);
    },
    SWEEP_MS,
  );
});

describe.each([
  ['http', 2],
  ['https', 25],
] as const)('over %s, at one in %i bytes', (scheme, step) => {
  test(
    'never accepts a request that is cut, nor a response',
    async () => {
      const course = await openCourse(MEASURED, scheme === 'https');
      const { request, response } = course.uncut;
      const requestCuts = listCuts('request', request + 1, step);
      const requestFaults = await findFaults(course, requestCuts, (observation) =>
        observation.cut.bytes > request ? ['accepted'] : allowUnanswered(observation),
      );
      expect(requestFaults).toEqual([]);
      const responseCuts = listCuts('response', response + 1, step);
      const responseFaults = await findFaults(course, responseCuts, (observation) => {
        const { bytes, ending } = observation.cut;
        return bytes >= response ? allowComplete(ending) : allowUnanswered(observation);
      });
      expect(responseFaults).toEqual([]);
    },
    SWEEP_MS,
  );
});
