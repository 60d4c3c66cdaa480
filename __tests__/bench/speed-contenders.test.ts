import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  sendByCurl,
  sendByFloor,
  sendByFormData,
  sendByPeer,
  sendByStep,
} from '../../bench/speed/contenders.ts';
import type { Sending } from '../../bench/speed/contenders.ts';
import { setStage } from '../../bench/speed/stage.ts';
import type { Stage } from '../../bench/speed/stage.ts';
import type { Tally } from '../../bench/speed/tally.ts';
import { cleanUp } from '../support/scope.ts';

const FILE_BYTES = 2 * 2 ** 20;
const SENDERS = { sendByStep, sendByFloor, sendByCurl, sendByFormData, sendByPeer };

let stage: Stage;
beforeAll(() => {
  stage = setStage(realpathSync(mkdtempSync(join(tmpdir(), 'bench-test-'))));
});
afterAll(async () => {
  await stage.close();
  rmSync(stage.folder, { recursive: true, force: true });
});

/** Sends a body with the headers given, and gives the status of the answer. */
function post(
  url: string,
  body: string,
  headers: OutgoingHttpHeaders,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

describe('the sink', () => {
  test('counts a body of the length that was said', async () => {
    const { url, takeTally } = await stage.service();
    expect(await post(url, 'x'.repeat(1000), { 'Content-Length': 1000 })).toBe(200);
    expect(await takeTally()).toEqual({ uploads: 1, bytes: 1000, keys: 0 });
    expect(await takeTally()).toEqual({ uploads: 0, bytes: 0, keys: 0 });
  });

  test('refuses a body of no length', async () => {
    const { url, takeTally } = await stage.service();
    expect(await post(url, 'x', { 'Transfer-Encoding': 'chunked' })).toBe(400);
    expect(await takeTally()).toMatchObject({ uploads: 0, bytes: 0 });
  });
});

describe('what discards', () => {
  test('answers once the body is there', async () => {
    const { url, takeTally } = await stage.discard();
    const body = 'x'.repeat(FILE_BYTES);
    expect(await post(url, body, { 'Content-Length': FILE_BYTES })).toBe(200);
    expect(await takeTally()).toMatchObject({ uploads: 1, bytes: FILE_BYTES });
  });
});

describe.each(Object.entries(SENDERS))('%s', (_, send) => {
  test('sends the whole file and gives its time', async () => {
    const path = stage.inventory(FILE_BYTES);
    const figure = await send({ stage, path, service: await stage.service() }).run();
    expect(figure).toBeGreaterThan(0);
  });

  test('gives no time for an upload that is refused', async () => {
    await expect(send(await refuse()).run()).rejects.toThrow(/exit code|400/);
  });

  test('gives no time for less than the whole file', async () => {
    const service = await stage.service();
    const takeTally = async (): Promise<Tally> => {
      const tally = await service.takeTally();
      return { ...tally, bytes: tally.bytes / 2 };
    };
    const path = stage.inventory(FILE_BYTES);
    const sending = { stage, path, service: { ...service, takeTally } };
    await expect(send(sending).run()).rejects.toThrow(/^\d+(\.5)? bytes came of \d+$/);
  });
});

describe('sendByPeer', () => {
  test('gives no time for a step that ends well and says nothing of an upload', async () => {
    const silent = join(stage.folder, 'silent.cjs');
    writeFileSync(silent, '');
    const sending = await refuse();
    const silenced = { ...sending, stage: { ...stage, peer: () => Promise.resolve(silent) } };
    await expect(sendByPeer(silenced).run()).rejects.toThrow('The step did not upload.');
  });
});

describe.each(Object.entries({ sendByStep, sendByCurl, sendByFormData }))('%s', (_, send) => {
  test('sends over TLS to a service whose certificate it is told to trust', async () => {
    const path = stage.inventory(FILE_BYTES);
    const { cert: ca } = await stage.keyPair();
    const service = await stage.secureService();
    expect(await send({ stage, path, service, ca }).run()).toBeGreaterThan(0);
    await expect(send({ stage, path, service }).run()).rejects.toThrow(/exit code|certificate/);
  });
});

/** A sending to a service that refuses everything. */
async function refuse(): Promise<Sending> {
  const server = createServer((incoming, response) => {
    incoming.resume();
    incoming.once('end', () => response.writeHead(400).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const service = { ...(await stage.service()), url: `http://127.0.0.1:${port}` };
  return { stage, path: stage.inventory(FILE_BYTES), service };
}
