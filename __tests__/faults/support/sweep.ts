import { constants } from 'node:crypto';
import { Agent } from 'node:https';
import { createSecureContext } from 'node:tls';
import { findSituation } from '../../../src/outcomes/judge.ts';
import { conclude } from '../../../src/outcomes/situations.ts';
import { SETTINGS } from '../../support/attempts.ts';
import { makeBody } from '../../support/bodies.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { exchangeWith } from '../../support/exchanges.ts';
import { CuttingServer } from './cutting-server.ts';
import type { Cut, Direction, Ending, FixedResponse, Traffic } from './cutting-server.ts';

/** Far more than an exchange takes: a cut must be noticed by itself, not by a limit. */
const HUNG_MS = 15_000;
/** A limit that is never the first to fire. */
const PATIENT_MS = 4 * HUNG_MS;
const SERVERS = 8;
const CONTENT = '{"SchemaVersion":2,"Results":[]}';
const ENDINGS: readonly Ending[] = ['FIN', 'RST'];
/** The last byte, and one before and after it. */
const CRITICAL = 3;

/** Servers for as many exchanges at once, and what passes where nothing is cut. */
export interface Course {
  readonly servers: readonly CuttingServer[];
  /** Returns the result, or that the exchange did not settle by itself. */
  readonly exchange: (server: CuttingServer) => Promise<string>;
  readonly uncut: Traffic;
}

/** One exchange that was cut: where, what passed, and its result. */
export interface Observation extends Traffic {
  readonly cut: Cut;
  readonly value: string;
}

/**
 * Single exchanges, which do not ask with `Expect`. Over https their bytes are as many every time: there are no
 * tickets, and the signature and the key shares have a fixed size.
 */
export async function openCourse(fixed: FixedResponse, isSecure = false): Promise<Course> {
  const { key, cert } = await makeCertificate('localhost', 2048);
  const ecdhCurve = 'X25519';
  const secureOptions = constants.SSL_OP_NO_TICKET;
  const context = isSecure
    ? createSecureContext({ key, cert, secureOptions, ecdhCurve })
    : undefined;
  const secureContext = createSecureContext({ ca: cert, ecdhCurve });
  const agent = new Agent({ keepAlive: false, maxCachedSessions: 0, secureContext });
  const body = await makeBody(CONTENT);
  const limits = { stallMs: PATIENT_MS, headMs: PATIENT_MS };
  const exchange = async ({ port }: CuttingServer): Promise<string> => {
    const url = new URL(`${isSecure ? 'https' : 'http'}://127.0.0.1:${port}/upload`);
    const signal = AbortSignal.timeout(HUNG_MS);
    const setting = { body, limits, signal, ...(isSecure && { agent }) };
    const attempt = await exchangeWith(url, setting);
    const situation = findSituation(attempt, SETTINGS);
    const result = situation === undefined ? 'accepted' : conclude(situation, attempt).result;
    return signal.aborted ? `hung (${result})` : result;
  };
  const opening = Array.from({ length: SERVERS }, () => CuttingServer.open(fixed, context));
  const servers = await Promise.all(opening);
  const runs = servers.map((server) => server.run(undefined, () => exchange(server)));
  const [uncut, ...others] = await Promise.all(runs);
  if (uncut === undefined || others.some((run) => JSON.stringify(run) !== JSON.stringify(uncut))) {
    throw new Error(`Uncut exchanges differ: ${JSON.stringify([uncut, ...others])}`);
  }
  return { servers, exchange, uncut };
}

/** Runs an exchange for each cut, one at a time on each server. */
export async function observe(
  { servers, exchange }: Course,
  cuts: readonly Cut[],
): Promise<readonly Observation[]> {
  const left = [...cuts];
  const observations: Observation[] = [];
  const work = async (server: CuttingServer): Promise<void> => {
    for (let cut = left.shift(); cut !== undefined; cut = left.shift()) {
      const traffic = await server.run(cut, () => exchange(server));
      observations.push({ ...traffic, cut });
      // One is enough to know; all of them would take an hour.
      if (traffic.value.startsWith('hung')) left.length = 0;
    }
  };
  await Promise.all(servers.map(work));
  return observations;
}

/** Every cut up to the byte `last`, by both endings; with `inTurn` by one for each byte but the last ones. */
export function listCuts(direction: Direction, last: number, inTurn = false): readonly Cut[] {
  const offsets = Array.from({ length: last + 1 }, (_, bytes) => bytes);
  return ENDINGS.flatMap((ending, index) =>
    offsets
      .filter((bytes) => !inTurn || bytes > last - CRITICAL || bytes % ENDINGS.length === index)
      .map((bytes) => ({ direction, bytes, ending })),
  );
}
