import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Duplex } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../src/service/body.ts';
import { OutgoingBody } from '../../src/service/outgoing-body.ts';
import { openRequest } from '../../src/service/request.ts';
import { joinSegments, makeBody } from '../support/bodies.ts';
import { openServer } from '../support/raw-server.ts';
import { MIB, makeBytes, sha256 } from '../support/samples.ts';
import { cleanUp } from '../support/scope.ts';

interface Sending {
  readonly outgoing: OutgoingBody;
  readonly sent: number[];
}

function openBody(
  url: URL,
  body: Body,
  onSent: (outgoing: OutgoingBody) => void = () => {},
  agent = new Agent({ keepAlive: false }),
): Sending {
  const spec = { url, agent, headers: {}, body, expectContinue: false };
  const request = openRequest(spec, new AbortController().signal);
  request.on('error', () => {});
  cleanUp(async () => void request.destroy());
  const sent: number[] = [];
  const outgoing: OutgoingBody = new OutgoingBody(request, body, (bytes) => {
    sent.push(bytes);
    onSent(outgoing);
  });
  return { outgoing, sent };
}

const NOWHERE = new URL('http://scan.example/');

/** An agent whose connections fail on the first write. */
function makeBrokenAgent(): Agent {
  const agent = new Agent();
  const broken = new Error('broken');
  agent.createConnection = () =>
    new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done(broken) });
  return agent;
}

describe('OutgoingBody', () => {
  test('sends and reports every byte, and then returns the digests', async () => {
    const server = await openServer((peer) => peer.readRequest());
    const content = makeBytes(MIB);
    const body = await makeBody(content);
    const { outgoing, sent } = openBody(server.url, body);
    expect(outgoing).toMatchObject({ digests: undefined, isHanded: false, isStopped: false });
    await outgoing.send();
    const digests = [sha256(content)];
    expect(outgoing).toMatchObject({ digests, isHanded: true, isStopped: false });
    expect(sent.reduce((sum, bytes) => sum + bytes, 0)).toBe(body.length);
    await server.peer.readRequest();
    expect(server.peer.body.equals(joinSegments(body, content))).toBe(true);
  });

  test('sets isHanded before the connection has written the last byte', async () => {
    const server = await openServer(() => {});
    const states: unknown[] = [];
    const { outgoing } = openBody(server.url, await makeBody(''), (sending) => {
      states.push([sending.isHanded, sending.digests]);
    });
    await outgoing.send();
    expect(states.at(-1)).toEqual([true, undefined]);
    expect(outgoing.digests).toEqual([sha256('')]);
  });

  test.each([
    ['http', false],
    ['https', true],
  ])(
    'sets isSent over %s before the connection has written the last byte: %s',
    async (scheme, sent) => {
      const agent = scheme === 'http' ? new Agent() : new HttpsAgent();
      const states: boolean[] = [];
      agent.createConnection = () =>
        new Duplex({
          read: () => {},
          write: (_chunk, _encoding, done) => {
            states.push(outgoing.isHanded, outgoing.isSent);
            done();
          },
        });
      const body = { ...(await makeBody()), length: 5, segments: [Buffer.from('hello')] };
      const url = new URL(`${scheme}://scan.example/`);
      const { outgoing } = openBody(url, body, () => {}, agent);
      expect(outgoing.isSent).toBe(false);
      await outgoing.send();
      // The request's headers are a separate write.
      expect(states).toEqual([true, sent, true, sent]);
      expect(outgoing.isSent).toBe(true);
    },
  );

  test('writes nothing after stop', async () => {
    const server = await openServer(() => {});
    const { outgoing, sent } = openBody(server.url, await makeBody('{}'));
    outgoing.stop();
    await expect(outgoing.send()).rejects.toThrow(/^no more bytes are wanted$/);
    expect([sent, outgoing.digests, outgoing.isHanded]).toEqual([[], undefined, false]);
  });

  test('rejects with the error of the connection', async () => {
    const body = { ...(await makeBody()), length: 5, segments: [Buffer.from('hello')] };
    const { outgoing } = openBody(NOWHERE, body, () => {}, makeBrokenAgent());
    await expect(outgoing.send()).rejects.toThrow(/^broken$/);
  });

  test('stops when the connection fails', async () => {
    const body = await makeBody(makeBytes(MIB));
    const { outgoing, sent } = openBody(NOWHERE, body, () => {}, makeBrokenAgent());
    await expect(outgoing.send()).rejects.toThrow(/^(?:broken|no more bytes are wanted)$/);
    expect(outgoing).toMatchObject({ digests: undefined, isHanded: false, isStopped: true });
    expect(sent).toEqual([]);
  });
});
