import { createServer } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { findSituation } from '../../src/outcomes/judge.ts';
import { getRow } from '../../src/outcomes/situations.ts';
import { SETTINGS, makeAttempt } from '../support/attempts.ts';
import { HOST } from '../support/certificates.ts';
import type { Peer } from '../support/peer.ts';
import { findClosedPort, listen, openServer } from '../support/raw-server.ts';
import type { Script } from '../support/raw-server.ts';
import { countAttempts, makeWorkspace, runAction, SKIP_WAITS } from '../support/run-action.ts';
import { readText } from '../support/workflows.ts';

/** What a gateway says that has lost the response of the service. */
const INTERRUPTED =
  'upstream connect error or disconnect/reset before headers. reset reason: connection termination';

/** A status, or that of a gateway that passed the upload on. */
type Turn = number | 'interrupted';

/** Uploads to a service that responds in turn, and then always as in the last turn. */
async function runTurns(
  turns: readonly Turn[],
  inputs: Readonly<Record<string, string>> = {},
): Promise<{ readonly run: StepRun; readonly requests: number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    const turn = turns[Math.min(requests, turns.length - 1)];
    requests += 1;
    request.resume().once('end', () => {
      if (turn === 'interrupted') response.writeHead(503).end(INTERRUPTED);
      else response.writeHead(turn ?? 200).end();
    });
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  const workspace = await makeWorkspace();
  const run = await runAction(workspace, { 'base-url': url, ...inputs }, { env: SKIP_WAITS });
  return { run, requests };
}

/** The rows of the table of docs/retries.md: causes, and the most retries by default. */
const ROWS = readText('docs', 'retries.md')
  .split('\n')
  .filter((line) => /^\|.*\d/.test(line))
  .map((line) => {
    const [, causes = '', most = ''] = line.split('|');
    return { causes, most: Number(/\d+/.exec(most)) };
  });

function findMost(cause: string): number {
  return ROWS.find(({ causes }) => causes.includes(cause))?.most ?? Number.NaN;
}

/** The statuses in a text such as `408, 520 to 523`. */
function listStatuses(text: string): readonly number[] {
  return Array.from(text.matchAll(/\b(\d{3})(?: to (\d{3}))?\b/g), ([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index),
  ).flat();
}

const STATUSES = new Map(
  ROWS.flatMap(({ causes, most }) => listStatuses(causes).map((status) => [status, most] as const)),
);

/** A server on a port of loopback that does the same with each connection. */
async function openOther(script: Script): Promise<string> {
  return `127.0.0.1:${(await openServer(script)).port}`;
}

async function findNobody(): Promise<string> {
  return `127.0.0.1:${await findClosedPort()}`;
}

async function refuseTunnel(peer: Peer): Promise<void> {
  await peer.readHead();
  peer.replyAsStranger(502);
}

/** What keeps an upload from a connection. */
interface Fault {
  readonly fault: string;
  /** Opens the host of the service; without it only a proxy knows it. */
  readonly host?: () => Promise<string> | string;
  readonly proxy?: () => Promise<string>;
  readonly inputs?: Readonly<Record<string, string>>;
}

/** The limit while connecting passes at once, as waits of 5 s do. */
const SILENT = { 'stall-timeout-seconds': '5' };

const FAULTS: readonly Fault[] = [
  { fault: 'an unknown name', host: () => 'service.invalid' },
  { fault: 'a refused connection', host: findNobody },
  { fault: 'a reset in the TLS handshake', host: () => openOther((peer) => peer.reset()) },
  { fault: 'a silent proxy', proxy: () => openOther(() => {}), inputs: SILENT },
  { fault: 'a proxy that cannot reach the service', proxy: () => openOther(refuseTunnel) },
];

describe('an upload is repeated as often as docs/retries.md says', () => {
  test('after each status, and after no other', () => {
    const retried = Array.from({ length: 300 }, (_, index) => 300 + index).flatMap((status) => {
      const attempt = makeAttempt({ response: { status } });
      const situation = findSituation(attempt, SETTINGS);
      const retries = situation === undefined ? 0 : getRow(situation).retries;
      return retries === 0 ? [] : [[status, Math.min(retries, SETTINGS.retries)]];
    });
    expect(retried).toEqual([...STATUSES].toSorted(([one], [other]) => one - other));
  });

  test.concurrent('after a gateway that passed the upload on', async () => {
    expect((await runTurns(['interrupted'])).requests).toBe(findMost('gateway') + 1);
  });

  test.concurrent.each(FAULTS)('after $fault', async ({ host, proxy, inputs }) => {
    const url = `https://${(await host?.()) ?? HOST}`;
    const env = { ...SKIP_WAITS, ...(proxy && { https_proxy: `http://${await proxy()}` }) };
    const workspace = await makeWorkspace();
    const run = await runAction(workspace, { 'base-url': url, ...inputs }, { env });
    expect(countAttempts(run)).toBe(findMost('no connection') + 1);
  });

  test.concurrent.each<[string, Script]>([
    ['a broken connection', (peer) => peer.readHead().then(() => peer.reset())],
    ['a lost or truncated response', (peer) => peer.readUpload().then(() => peer.end())],
  ])('after %s', async (cause, script) => {
    const inputs = { 'base-url': `http://${await openOther(script)}` };
    const run = await runAction(await makeWorkspace(), inputs, { env: SKIP_WAITS });
    expect(countAttempts(run)).toBe(findMost(cause) + 1);
  });

  test.each<[readonly Turn[], number]>([
    [[503], findMost('503') + 1],
    [[503, 503, 504, 200], 4],
    [[504, 503, 504, 503, 504], 5],
    [[503, 'interrupted', 200], 3],
  ])('for each situation as often as it may be: %j ends after %i requests', async (turns, most) => {
    const { run, requests } = await runTurns(turns);
    expect([requests, countAttempts(run)]).toEqual([most, most]);
    const isAccepted = most === turns.length && turns.at(-1) === 200;
    expect(run.outputs.uploaded).toBe(String(isAccepted));
  });

  test('at most `retries` times in all', async () => {
    const { run, requests } = await runTurns([503, 504, 502], { retries: '2' });
    expect(requests).toBe(3);
    expect(run.annotations.at(-1)?.message).toContain('\nAttempts: 3 · ');
  });
});
