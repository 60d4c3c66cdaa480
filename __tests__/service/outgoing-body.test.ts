import { describe, expect, test } from '@jest/globals';
import { createAgent } from '../../src/service/agent.ts';
import type { Body } from '../../src/service/body.ts';
import { OutgoingBody } from '../../src/service/outgoing-body.ts';
import { openRequest } from '../../src/service/request.ts';
import { MIB, cleanUp, joinSegments, makeBody, makeBytes, sha256 } from './fixtures.ts';
import { openServer } from './raw-server.ts';
import type { RawServer } from './raw-server.ts';

interface Sending {
  readonly outgoing: OutgoingBody;
  readonly sent: number[];
}

function openBody(
  { url }: RawServer,
  body: Body,
  onSent: (outgoing: OutgoingBody) => void = () => {},
): Sending {
  const agent = createAgent(url, {});
  const request = openRequest({ url, agent, headers: {}, body, expectContinue: false });
  request.on('error', () => {});
  cleanUp(async () => void request.destroy());
  const sent: number[] = [];
  const outgoing: OutgoingBody = new OutgoingBody(request, body, (bytes) => {
    sent.push(bytes);
    onSent(outgoing);
  });
  return { outgoing, sent };
}

describe('OutgoingBody', () => {
  test('sends every byte, tells of each, and then knows the digests', async () => {
    const server = await openServer((peer) => peer.readRequest());
    const content = makeBytes(MIB);
    const body = await makeBody(content);
    const { outgoing, sent } = openBody(server, body);
    expect([outgoing.digests, outgoing.isGiven, outgoing.isStopped]).toEqual([
      undefined,
      false,
      false,
    ]);
    await outgoing.send();
    expect([outgoing.digests, outgoing.isGiven, outgoing.isStopped]).toEqual([
      [sha256(content)],
      true,
      false,
    ]);
    expect(sent.reduce((sum, bytes) => sum + bytes, 0)).toBe(body.length);
    await server.peer.readRequest();
    expect(server.peer.body.equals(joinSegments(body, content))).toBe(true);
  });

  test('has given every byte before it knows that the last has left', async () => {
    const server = await openServer(() => {});
    const states: unknown[] = [];
    const { outgoing } = openBody(server, await makeBody(''), (sending) => {
      states.push([sending.isGiven, sending.digests]);
    });
    await outgoing.send();
    expect(states.at(-1)).toEqual([true, undefined]);
    expect(outgoing.digests).toEqual([sha256('')]);
  });

  test('writes nothing once it was stopped', async () => {
    const server = await openServer(() => {});
    const { outgoing, sent } = openBody(server, await makeBody('{}'));
    outgoing.stop();
    await expect(outgoing.send()).rejects.toThrow(/^no more bytes are wanted$/);
    expect([sent, outgoing.digests, outgoing.isGiven]).toEqual([[], undefined, false]);
  });

  test('stops when the connection takes no more', async () => {
    const server = await openServer(async (peer) => {
      await peer.readBytes(MIB);
      peer.reset();
    });
    const { outgoing } = openBody(server, await makeBody(makeBytes(24 * MIB)));
    await expect(outgoing.send()).rejects.toThrow(/ECONNRESET|EPIPE|destroyed|no more bytes/);
    expect([outgoing.isStopped, outgoing.isGiven, outgoing.digests]).toEqual([
      true,
      false,
      undefined,
    ]);
  });
});
