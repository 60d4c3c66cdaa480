import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { makeFolder } from '../../support/directories.ts';
import { cleanUp } from '../../support/scope.ts';
import { makeWorkspace } from '../../support/run-action.ts';
import { CONTINUE } from '../../support/peer.ts';
import { openServer } from '../../support/raw-server.ts';
import type { Script } from '../../support/raw-server.ts';

/** A step that reaches one of its phases and stays in it. */
export interface HeldStep {
  readonly inputs: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly workspace?: string;
  /** The line of output once it is there; else `arrived` is called. */
  readonly line?: RegExp;
}

/** A phase, and the result of cancelling in it. */
export interface Phase {
  readonly name: string;
  readonly open: (arrived: () => void) => Promise<HeldStep>;
  readonly result: 'not-sent' | 'rejected' | 'unconfirmed';
}

const LARGE_BYTES = 64 * 1024 ** 2;
/** What is read to its end before it is sent. */
const INSPECTED_BYTES = 32 * 1024 ** 2;
const HUGE_BYTES = 16 * 1024 ** 3;
const NOWHERE = { 'base-url': 'https://scan.example' };

/** A preloaded module stops the step in this phase. */
export function hold(what: string): HeldStep {
  const preload = new URL('holding.preload.mjs', import.meta.url);
  const env = { NODE_OPTIONS: `--import=${preload.href}`, HOLD: what };
  return { inputs: NOWHERE, env, line: /^held$/ };
}

async function openHandshake(arrived: () => void): Promise<HeldStep> {
  const server = await openServer(({ socket }) => socket.once('data', arrived));
  return { inputs: { 'base-url': `https://127.0.0.1:${server.port}` } };
}

/** The origin of a server that reads the head of a request and then says nothing. */
async function listenForHead(arrived: () => void): Promise<string> {
  const server = await openServer(async (peer) => {
    await peer.readHead();
    arrived();
  });
  return server.origin;
}

async function openProxy(arrived: () => void): Promise<HeldStep> {
  return { inputs: NOWHERE, env: { https_proxy: await listenForHead(arrived) } };
}

async function openIdentity(arrived: () => void): Promise<HeldStep> {
  const env = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${await listenForHead(arrived)}/token?v=1`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token',
  };
  return { inputs: { ...NOWHERE, auth: 'oidc', token: '' }, env };
}

/** An upload that asks first, over a connection that is read no further once `script` has ended. */
async function openUnread(script: Script): Promise<HeldStep> {
  const server = await openServer(async (peer, turn) => {
    await peer.readHead();
    await script(peer, turn);
    peer.socket.pause();
  });
  const workspace = await makeSparseWorkspace(LARGE_BYTES);
  return { inputs: { 'base-url': server.origin }, workspace };
}

function openSending(arrived: () => void): Promise<HeldStep> {
  return openUnread(async (peer) => {
    const headBytes = peer.size;
    peer.send(CONTINUE);
    await peer.readBytes(headBytes + 1);
    arrived();
  });
}

/** A step whose whole upload a server has read, which then does as `script` says. */
async function openRead(script: Script): Promise<HeldStep> {
  const server = await openServer(async (peer, turn) => {
    await peer.readUpload();
    await script(peer, turn);
  });
  return { inputs: { 'base-url': server.origin } };
}

async function openResponse(): Promise<HeldStep> {
  const half = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf';
  return { ...hold('response'), ...(await openRead((peer) => peer.send(half))) };
}

async function openWait(): Promise<HeldStep> {
  return { ...(await openRead((peer) => peer.reply(504))), line: /^Waiting / };
}

async function openBacklog(): Promise<HeldStep> {
  const inputs = { 'base-url': `https://127.0.0.1:${await openBlackHole()}` };
  return { inputs, line: /^Attempt 1:/ };
}

async function openInspection(): Promise<HeldStep> {
  const content = `[${' '.repeat(INSPECTED_BYTES - 2)}]`;
  return { ...hold('read'), workspace: await makeWorkspace({ 'scan.json': content }) };
}

async function openMissing(): Promise<HeldStep> {
  return { ...hold('list'), inputs: { ...NOWHERE, 'scan-file': 'missing.json' } };
}

async function openInput(): Promise<HeldStep> {
  return { ...hold('open'), inputs: { ...NOWHERE, 'ca-cert': 'scan.json' } };
}

async function openDigest(): Promise<HeldStep> {
  const workspace = await makeSparseWorkspace(HUGE_BYTES);
  return { inputs: { ...NOWHERE, 'dry-run': 'true' }, workspace, line: /^Operation: / };
}

/**
 * A workspace whose `scan.json` has `bytes` bytes, more than are parsed, and takes up next to no room:
 * it begins and ends like a JSON array, which is what is inspected of a large file.
 */
async function makeSparseWorkspace(bytes: number): Promise<string> {
  const workspace = await makeFolder();
  const file = await open(join(workspace, 'scan.json'), 'w');
  try {
    await file.truncate(bytes);
    await file.write(`["${'x'.repeat(1024 * 1024)}`, 0);
    await file.write('"]', bytes - 2);
  } finally {
    await file.close();
  }
  return workspace;
}

/** Listens, and then does nothing any more, so that no connection is ever accepted. */
const LISTEN = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** Connections that a backlog of 1 holds. */
const HELD = 2;

/** Opens a port whose backlog is full: a connection to it gets no response. Closed after the test. */
async function openBlackHole(): Promise<number> {
  const worker = new Worker(LISTEN, { eval: true });
  cleanUp(async () => void (await worker.terminate()));
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const sockets = Array.from({ length: HELD }, () => connect(port, '127.0.0.1'));
  cleanUp(async () => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return port;
}

/** Every phase in which a step can wait forever. */
export const PHASES: readonly Phase[] = [
  { name: 'reading an input', open: openInput, result: 'not-sent' },
  { name: 'searching', open: async () => hold('search'), result: 'not-sent' },
  { name: 'searching what may be meant', open: openMissing, result: 'not-sent' },
  { name: 'opening a file', open: async () => hold('open'), result: 'not-sent' },
  { name: 'inspecting', open: openInspection, result: 'not-sent' },
  { name: 'digesting', open: openDigest, result: 'not-sent' },
  { name: 'fetching an OIDC token', open: openIdentity, result: 'not-sent' },
  { name: 'resolving a name', open: async () => hold('name'), result: 'not-sent' },
  { name: 'connecting', open: openBacklog, result: 'not-sent' },
  { name: 'connecting through a proxy', open: openProxy, result: 'not-sent' },
  { name: 'shaking hands', open: openHandshake, result: 'not-sent' },
  { name: 'waiting for 100 Continue', open: openUnread, result: 'not-sent' },
  { name: 'sending', open: openSending, result: 'not-sent' },
  { name: 'waiting for the response', open: openRead, result: 'unconfirmed' },
  { name: 'reading the response', open: openResponse, result: 'unconfirmed' },
  { name: 'waiting for another attempt', open: openWait, result: 'unconfirmed' },
];
