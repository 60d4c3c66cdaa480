import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { makeMeter } from '../faults/support/usage.ts';
import { makeFolder } from '../support/directories.ts';
import { describeLinux, describePosix } from '../support/files.ts';
import { makeWorkspace, readResults } from '../support/run-action.ts';
import { makeReply } from '../support/peer.ts';
import { listen, openServer } from '../support/raw-server.ts';
import type { RawServer } from '../support/raw-server.ts';
import { KIB, REPORT } from '../support/samples.ts';
import { repeatFile, runBatch } from './batch.ts';

const FILES = { 'scan.json': REPORT };
/** Longer than an upload waits for a response to `Expect: 100-continue`. */
const LATE_MS = 1300;

/** The connections and requests that a service received. */
interface Crowd {
  readonly url: string;
  /** The number of connections. */
  connections: number;
  /** The largest number of requests that were open at the same time. */
  most: number;
  /** The number of requests. */
  requests: number;
}

/** Starts a service that counts requests, and responds to each one after its body has arrived. */
async function openCrowd(
  respond: (response: ServerResponse, turn: number) => void,
): Promise<Crowd> {
  const crowd = { connections: 0, most: 0, requests: 0 };
  let open = 0;
  const server = createServer((request, response) => {
    const turn = (crowd.requests += 1);
    open += 1;
    crowd.most = Math.max(crowd.most, open);
    response.once('close', () => {
      open -= 1;
    });
    request.resume().once('end', () => respond(response, turn));
  });
  server.on('connection', () => {
    crowd.connections += 1;
  });
  const port = await listen(server);
  return Object.assign(crowd, { url: `http://127.0.0.1:${port}` });
}

/**
 * Starts a service that sends several responses to the first request, on a connection that it keeps
 * open, and rejects every other request.
 */
function listenTwice(): Promise<RawServer> {
  const accepted = makeReply(200, { headers: { Connection: 'keep-alive' }, body: '{}' });
  return openServer(async (peer, turn) => {
    await peer.readUpload();
    if (turn > 1) return peer.reply(400);
    peer.send(Buffer.concat([accepted, accepted]));
    setTimeout(() => peer.send(accepted), 20);
  });
}

function accept(response: ServerResponse): void {
  setTimeout(() => response.end('{}'), 20);
}

describe('several scans', () => {
  test('are uploaded over a connection each, as many in parallel as max-parallel says', async () => {
    const crowd = await openCrowd(accept);
    const entries = repeatFile(12, 'scan.json');
    const run = await runBatch(await makeWorkspace(FILES), crowd.url, entries, {
      'max-parallel': '3',
    });
    expect(run.outputs).toMatchObject({ uploaded: 'true' });
    expect(crowd.requests).toBe(12);
    expect(crowd.most).toBe(3);
    expect(crowd.connections).toBe(12);
  });

  test('ignore further responses to another scan', async () => {
    const server = await listenTwice();
    const inputs = { 'max-parallel': '1' };
    const entries = repeatFile(3, 'scan.json');
    const run = await runBatch(await makeWorkspace(FILES), server.origin, entries, inputs);
    const results = readResults(run).map(({ result }) => result);
    expect(results).toEqual(['accepted', 'rejected', 'rejected']);
    expect(server.connections()).toBe(3);
  });
});

test('Retry-After: 0 delays no upload', async () => {
  const crowd = await openCrowd((response, turn) => {
    response.writeHead(turn === 1 ? 503 : 200, { 'Retry-After': '0' }).end();
  });
  // A delay is at least 5 s.
  const inputs = { 'max-parallel': '1', retries: '0', 'timeout-seconds': '5' };
  const entries = repeatFile(2, 'scan.json');
  const run = await runBatch(await makeWorkspace(FILES), crowd.url, entries, inputs);
  expect(readResults(run).map(({ result }) => result)).toEqual(['rejected', 'accepted']);
});

describe('a service that reads only the headers of requests', () => {
  test('is believed for no scan, although its first response comes too late', async () => {
    const server = await openServer(async (peer, turn) => {
      await peer.readHead();
      await delay(turn === 1 ? LATE_MS : 50);
      peer.reply(turn === 1 ? 400 : 200);
    });
    const inputs = { 'max-parallel': '1' };
    const entries = repeatFile(2, 'scan.json');
    const run = await runBatch(await makeWorkspace(FILES), server.origin, entries, inputs);
    expect(readResults(run).map(({ result }) => result)).toEqual(['rejected', 'not-sent']);
    const asked = server.peers.map((peer) => peer.header('expect'));
    expect(asked).toEqual(['100-continue', '100-continue']);
  });
});

describePosix('a cancellation of several scans', () => {
  test('reports the result of each scan, and starts no further uploads', async () => {
    const cancellation = new AbortController();
    const crowd = await openCrowd((response, turn) => {
      if (turn === 1) response.end('{}');
      if (turn === 3) cancellation.abort();
    });
    const entries = repeatFile(6, 'scan.json');
    const inputs = { 'max-parallel': '2' };
    const run = await runBatch(await makeWorkspace(FILES), crowd.url, entries, inputs, {
      signal: cancellation.signal,
      killSignal: 'SIGTERM',
    });
    expect(run.exitCode).toBe(143);
    const results = readResults(run).map(({ result }) => result);
    expect(results.filter((result) => result === 'accepted')).toHaveLength(1);
    expect(results.filter((result) => result === 'unconfirmed')).toHaveLength(2);
    expect(results.filter((result) => result === 'not-sent')).toHaveLength(3);
    expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'unconfirmed' });
    expect(crowd.requests).toBe(3);
  });
});

/** A script that records the largest number of files that the process has open. */
const COUNTER = `
const { readdirSync, writeFileSync } = require('node:fs');
const promises = require('node:fs/promises');
const { open: openFile } = promises;
let most = 0;
promises.open = async (...args) => {
  const handle = await openFile(...args);
  most = Math.max(most, readdirSync('/proc/self/fd').length);
  return handle;
};
process.once('exit', () => writeFileSync(process.env.COUNT_FILE, String(most)));
`;

describeLinux('100 scans', () => {
  test('are uploaded with fewer than 64 files open at the same time', async () => {
    const crowd = await openCrowd((response) => void response.end('{}'));
    const files = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`${index}.json`, REPORT]),
    );
    const entries = repeatFile(100, '').map((entry, index) => ({
      ...entry,
      'scan-file': `${index}.json`,
    }));
    const directory = await makeFolder();
    const [counter, count] = [join(directory, 'counter.cjs'), join(directory, 'count')];
    writeFileSync(counter, COUNTER);
    const run = await runBatch(
      await makeWorkspace({ ...files, 'scans.json': JSON.stringify(entries) }),
      crowd.url,
      [],
      { scans: 'scans.json', 'max-parallel': '8' },
      { env: { NODE_OPTIONS: `--require=${counter}`, COUNT_FILE: count } },
    );
    expect(run.outputs).toMatchObject({ uploaded: 'true' });
    expect(crowd.requests).toBe(100);
    // Eight files, eight connections, and about twenty files that Node itself opens.
    const most = Number(readFileSync(count, 'utf8'));
    expect(most).toBeGreaterThan(8);
    expect(most).toBeLessThan(64);
  });
});

test('many refusals of 64 KiB take memory for their texts only', async () => {
  const lists = Array.from({ length: 21_000 }, () => '[]').join();
  const crowd = await openCrowd((response) => {
    response.writeHead(400).end(`{"title":"x","a":[${lists}]}`);
  });
  const meter = await makeMeter();
  const inputs = { retries: '0', 'max-parallel': '8' };
  const entries = repeatFile(60, 'scan.json');
  const run = await runBatch(await makeWorkspace(FILES), crowd.url, entries, inputs, {
    env: meter.env,
  });
  expect(run.outputs).toMatchObject({ result: 'rejected', reason: 'problem' });
  // Their objects would take 240 MiB.
  expect(meter.read().peakKiB).toBeLessThan(280 * KIB);
});
