import { expect, test } from '@jest/globals';
import { readEvidence } from '../../src/outcomes/evidence.ts';
import { judge } from '../../src/outcomes/judge.ts';
import { findResult } from '../../src/outcomes/situations.ts';
import { createAgent } from '../../src/service/agent.ts';
import { makeBody, exchangeWith } from '../support/exchanges.ts';
import { makeCertificate } from '../support/network.ts';
import { makeTask } from '../support/scans.ts';
import type { Peer } from '../support/servers.ts';
import { openServer } from '../support/servers.ts';
import { REPORT } from '../support/workspace.ts';

// The server ends an exchange after each byte of the request or of the response, with a FIN or with a RST. It
// succeeds only if the response is complete. Single exchanges do not ask with `Expect`.

/** Far more than all exchanges of a test take on a busy machine. */
const SWEEP_MS = 300_000;
/** Far more than an exchange takes: its end must be noticed by itself, not by a limit. */
const HUNG_MS = 60_000;
/** Limits that are never the first to fire. */
const LIMITS = { stallMs: 4 * HUNG_MS, headMs: 4 * HUNG_MS };
const SERVERS = 8;
/** Fewer than the request has: after its last byte, the response is cut. */
const REQUEST_BYTES = 400;

const OK = 'HTTP/1.1 200 OK\r\nServer: scan-upload-service\r\nContent-Type: application/json\r\n';
const STORED = '{"id":"3fa85f64-5717-4562-b3fc-2c963f66afa6"}';
const PROBLEM = '{"detail":"The scan is closed."}';
const PROBLEM_HEAD = 'HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\n';

const MEASURED = `${OK}Content-Length: ${STORED.length}\r\n\r\n${STORED}`;
const CHUNKS = `10;x=y\r\n${STORED.slice(0, 16)}\r\n1d\r\n${STORED.slice(16)}\r\n0\r\n\r\n`;
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n${CHUNKS}`;
// Of JSON the parser would see the cut.
const UNFRAMED = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nStored: 3fa85f64';
const REFUSAL = `${PROBLEM_HEAD}Content-Length: ${PROBLEM.length}\r\n\r\n${PROBLEM}`;

/** After how many bytes of the response, or more of the request, the server ends the connection. */
interface Cut {
  readonly direction: 'request' | 'response';
  readonly bytes: number;
  readonly ending: 'FIN' | 'RST';
}

/** Cuts at every `step`th byte and at the last two, with both endings. */
function listCuts(direction: Cut['direction'], last: number, step = 1): readonly Cut[] {
  const offsets = Array.from({ length: last + 1 }, (_, bytes) => bytes);
  const chosen = offsets.filter((bytes) => bytes % step === 0 || bytes >= last - 1);
  return (['FIN', 'RST'] as const).flatMap((ending) =>
    chosen.map((bytes) => ({ direction, bytes, ending })),
  );
}

async function serve(peer: Peer, response: string, { direction, bytes, ending }: Cut) {
  if (direction === 'request') {
    await peer.readBytes(bytes + 1);
  } else {
    await peer.readUpload();
    await new Promise((sent) => peer.socket.write(response.slice(0, bytes), sent));
  }
  if (ending === 'RST') peer.reset();
  else peer.socket.end();
}

/** The first unexpected results of exchanges that are cut; `allow` returns those that are expected. */
async function findFaults(
  response: string,
  cuts: readonly Cut[],
  allow: (cut: Cut, hasRequest: boolean) => readonly string[],
  isSecure = false,
): Promise<readonly string[]> {
  const body = await makeBody(REPORT);
  const tls = isSecure ? await makeCertificate() : undefined;
  const left = [...cuts];
  const faults: string[] = [];
  const work = async (): Promise<void> => {
    let cut = left.shift();
    const play = (peer: Peer): unknown => cut && serve(peer, response, cut);
    const { url, peers } = await openServer(play, tls);
    const agent = createAgent(url, tls === undefined ? {} : { ca: tls.cert });
    for (; cut !== undefined && faults.length < 20; cut = left.shift()) {
      const signal = AbortSignal.timeout(HUNG_MS);
      const attempt = await exchangeWith(url, { body, agent, limits: LIMITS, signal });
      const situation = judge(readEvidence(attempt, makeTask()))?.situation;
      const result = situation === undefined ? 'accepted' : findResult(situation, attempt.isSent);
      await peers.at(-1)?.closed;
      const hasRequest = peers.at(-1)?.body.length === body.length;
      if (!signal.aborted && allow(cut, hasRequest).includes(result)) continue;
      faults.push(`${result}${signal.aborted ? ', hung' : ''}: ${JSON.stringify(cut)}`);
    }
  };
  await Promise.all(Array.from({ length: SERVERS }, work));
  return faults;
}

/** The results of a complete response. On other systems than Linux a RST drops what came before it and has not been read. */
function allowComplete({ ending }: Cut, result = 'accepted'): readonly string[] {
  const isCertain = ending === 'FIN' || process.platform === 'linux';
  return isCertain ? [result] : [result, 'unconfirmed'];
}

function countHead(response: string): number {
  return response.indexOf('\r\n\r\n') + 4;
}

test.each<[string, string, string, (ending: Cut['ending']) => number]>([
  ['a response in chunks only if it is complete', CHUNKED, 'accepted', () => CHUNKED.length],
  // RFC 9112, section 8: nothing but the end of the connection tells where such a response ends.
  [
    'an unframed response only if its headers are complete and no reset ends it',
    UNFRAMED,
    'accepted',
    (ending) => (ending === 'FIN' ? countHead(UNFRAMED) : Infinity),
  ],
  ['a refusal only if its headers are complete', REFUSAL, 'rejected', () => countHead(REFUSAL)],
])(
  'believes %s',
  async (_, response, result, countEnough) => {
    const cuts = listCuts('response', response.length);
    const faults = await findFaults(response, cuts, (cut) =>
      cut.bytes < countEnough(cut.ending) ? ['unconfirmed'] : allowComplete(cut, result),
    );
    expect(faults).toEqual([]);
  },
  SWEEP_MS,
);

test.each([
  ['http', 4],
  ['https', 25],
])(
  'accepts over %s, cut at one in %i bytes, only a complete response',
  async (scheme, step) => {
    const cuts = [
      ...listCuts('request', REQUEST_BYTES, step),
      ...listCuts('response', MEASURED.length, step),
    ];
    const allow = (cut: Cut, hasRequest: boolean): readonly string[] => {
      if (cut.direction === 'response' && cut.bytes === MEASURED.length) return allowComplete(cut);
      return hasRequest ? ['unconfirmed'] : ['not-sent', 'unconfirmed'];
    };
    expect(await findFaults(MEASURED, cuts, allow, scheme === 'https')).toEqual([]);
  },
  SWEEP_MS,
);
