import { constants } from 'node:crypto';
import { Agent } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { findSituation, followAttempt } from '../../../src/service/judge.ts';
import type { Upload } from '../../../src/service/upload.ts';
import { SETTINGS } from '../../support/attempts.ts';
import { makeBody } from '../../support/bodies.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { exchangeWith } from '../../support/exchanges.ts';
import type { Setting } from '../../support/exchanges.ts';
import { CuttingServer } from './cutting-server.ts';
import type { FixedResponse, Traffic } from './cutting-server.ts';
import { HUNG } from './sweep.ts';

/** Far more than an exchange takes: a cut must be noticed by itself, not by a limit. */
const HUNG_MS = 15_000;
/** A limit that is never the first to fire. */
const PATIENT_MS = 4 * HUNG_MS;
const SERVERS = 8;
const CONTENT = '{"SchemaVersion":2,"Results":[]}';

/** A few servers, an exchange over one of them, and what passes where nothing is cut. */
export interface Course {
  readonly servers: readonly CuttingServer[];
  readonly exchange: (server: CuttingServer) => Promise<string>;
  readonly uncut: Traffic;
}

/** Single exchanges over http, which do not ask with `Expect`. */
export async function openCourse(fixed: FixedResponse): Promise<Course> {
  return survey(await openServers(fixed, SERVERS), await makeExchange('http'));
}

/**
 * The same over https. Their bytes are as many every time: tickets without content, and a
 * signature and key shares of a fixed size.
 */
export async function openTlsCourse(fixed: FixedResponse): Promise<Course> {
  const { key, cert } = makeCertificate('localhost', 2048);
  const secureOptions = constants.SSL_OP_NO_TICKET;
  const context = createSecureContext({ key, cert, secureOptions, ecdhCurve: 'X25519' });
  const secureContext = createSecureContext({ ca: cert, ecdhCurve: 'X25519' });
  const agent = new Agent({ keepAlive: false, maxCachedSessions: 0, secureContext });
  return survey(await openServers(fixed, SERVERS, context), await makeExchange('https', { agent }));
}

async function makeExchange(scheme: string, setting: Setting = {}): Promise<Course['exchange']> {
  const body = await makeBody(CONTENT);
  const limits = { stallMs: PATIENT_MS, headMs: PATIENT_MS };
  return ({ port }) =>
    settle(async (signal) => {
      const url = new URL(`${scheme}://127.0.0.1:${port}/upload`);
      const attempt = await exchangeWith(url, { ...setting, body, limits, signal });
      return followAttempt(findSituation(attempt, SETTINGS), attempt);
    });
}

/** Servers for as many exchanges at once. */
async function openServers(
  fixed: FixedResponse,
  count: number,
  context?: SecureContext,
): Promise<readonly CuttingServer[]> {
  return Promise.all(Array.from({ length: count }, () => CuttingServer.open(fixed, context)));
}

/** Sees that every server lets an exchange through, with the same bytes each time. */
async function survey(
  servers: readonly CuttingServer[],
  exchange: Course['exchange'],
): Promise<Course> {
  const runs = await Promise.all(
    servers.map((server) => server.run(undefined, () => exchange(server))),
  );
  const [first] = runs;
  const kinds = new Set(runs.map((run) => JSON.stringify(run)));
  if (first === undefined || kinds.size > 1) {
    throw new Error(`Uncut exchanges differ: ${[...kinds].join(' ')}`);
  }
  return { servers, exchange, uncut: first };
}

/** The result, or that the exchange did not settle by itself. */
async function settle(
  run: (signal: AbortSignal) => Promise<Pick<Upload, 'result'>>,
): Promise<string> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error('hung')), HUNG_MS);
  const { result } = await run(controller.signal);
  clearTimeout(timer);
  return controller.signal.aborted ? `${HUNG} (${result})` : result;
}
