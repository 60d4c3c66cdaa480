import type { Socket } from 'node:net';
import { makeWorkspace } from '../../support/run-action.ts';
import { findClosedPort, openServer } from '../../support/raw-server.ts';
import { openBlackHole } from './black-hole.ts';
import { makeSparseWorkspace } from './sparse.ts';

/** A step that comes to one of its phases and stays there. */
export interface Scene {
  readonly inputs: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly workspace?: string;
  /** The line of output that tells that it is there; else `arrived` is called. */
  readonly line?: RegExp;
}

/** A phase, and what cancelling in it comes to. */
export interface Phase {
  readonly name: string;
  readonly open: (arrived: () => void) => Promise<Scene>;
  readonly result: 'not-sent' | 'rejected' | 'unconfirmed';
  /** What the annotation says of the phase. */
  readonly told: RegExp;
}

const LARGE_BYTES = 64 * 1024 ** 2;
/** What is read to its end before it is sent. */
const INSPECTED_BYTES = 32 * 1024 ** 2;
const HUGE_BYTES = 16 * 1024 ** 3;
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const NOWHERE = { 'base-url': 'https://scan.example' };

/** The step is held from inside. */
function hold(what: string): Scene {
  const preload = new URL('holding.preload.mjs', import.meta.url);
  const env = { NODE_OPTIONS: `--import=${preload.href}`, HOLD: what };
  return { inputs: NOWHERE, env, line: /^held$/ };
}

/** A server that is called with all it has received so far. */
async function listenText(serve: (socket: Socket, text: string) => void): Promise<string> {
  const server = await openServer(({ socket }) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      serve(socket, text);
    });
  });
  return server.origin;
}

function isWhole(text: string): boolean {
  return text.endsWith('--\r\n');
}

async function openHandshake(arrived: () => void): Promise<Scene> {
  const server = await openServer(({ socket }) => socket.once('data', arrived));
  return { inputs: { 'base-url': `https://127.0.0.1:${server.port}` } };
}

async function openProxy(arrived: () => void): Promise<Scene> {
  const url = await listenText((_, text) => text.startsWith('CONNECT ') && arrived());
  return { inputs: NOWHERE, env: { https_proxy: url } };
}

async function openIdentity(arrived: () => void): Promise<Scene> {
  const url = await listenText((_, text) => text.includes('\r\n\r\n') && arrived());
  const env = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/token?v=1`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token',
  };
  return { inputs: { ...NOWHERE, auth: 'oidc', token: '' }, env };
}

async function openContinue(arrived: () => void): Promise<Scene> {
  const server = await openServer(({ socket }) => {
    socket.once('data', () => {
      socket.pause();
      arrived();
    });
  });
  return {
    inputs: { 'base-url': server.origin },
    workspace: await makeSparseWorkspace(LARGE_BYTES),
  };
}

async function openSending(arrived: () => void): Promise<Scene> {
  const server = await openServer(({ socket }) => {
    socket.once('data', () => {
      socket.write(CONTINUE);
      socket.once('data', () => {
        socket.pause();
        arrived();
      });
    });
  });
  return {
    inputs: { 'base-url': server.origin },
    workspace: await makeSparseWorkspace(LARGE_BYTES),
  };
}

async function openHead(arrived: () => void): Promise<Scene> {
  const url = await listenText((_, text) => isWhole(text) && arrived());
  return { inputs: { 'base-url': url } };
}

async function openAnswer(): Promise<Scene> {
  const url = await listenText((socket, text) => {
    if (isWhole(text)) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
  });
  return { ...hold('answer'), inputs: { 'base-url': url } };
}

async function openWait(status: number): Promise<Scene> {
  const url = await listenText((socket, text) => {
    if (isWhole(text)) socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
  });
  return { inputs: { 'base-url': url }, line: /^Waiting / };
}

async function openRefused(): Promise<Scene> {
  const inputs = { 'base-url': `http://127.0.0.1:${await findClosedPort()}` };
  return { inputs, line: /^Waiting / };
}

async function openBacklog(): Promise<Scene> {
  const inputs = { 'base-url': `https://127.0.0.1:${await openBlackHole()}` };
  return { inputs, line: /^Attempt 1 / };
}

async function openInspection(): Promise<Scene> {
  const content = `[${' '.repeat(INSPECTED_BYTES - 2)}]`;
  return { ...hold('read'), workspace: await makeWorkspace({ 'scan.json': content }) };
}

async function openDigest(): Promise<Scene> {
  const workspace = await makeSparseWorkspace(HUGE_BYTES);
  return { inputs: { ...NOWHERE, 'dry-run': 'true' }, workspace, line: /^Operation: / };
}

const EARLY = /^The step was cancelled \(\w+\)\.$/m;
const CONNECTING = / It came while connecting\.$/m;
const WAITING = /^Gave up after 1 attempt, while waiting for the next one\.$/m;

/** Every phase in which a step can wait for something that never comes. */
export const PHASES: readonly Phase[] = [
  { name: 'searching', open: async () => hold('search'), result: 'not-sent', told: EARLY },
  { name: 'opening a file', open: async () => hold('open'), result: 'not-sent', told: EARLY },
  { name: 'inspecting', open: openInspection, result: 'not-sent', told: EARLY },
  { name: 'digesting', open: openDigest, result: 'not-sent', told: EARLY },
  { name: 'fetching an identity', open: openIdentity, result: 'not-sent', told: EARLY },
  {
    name: 'resolving a name',
    open: async () => hold('name'),
    result: 'not-sent',
    told: CONNECTING,
  },
  { name: 'connecting', open: openBacklog, result: 'not-sent', told: CONNECTING },
  { name: 'connecting through a proxy', open: openProxy, result: 'not-sent', told: CONNECTING },
  { name: 'shaking hands', open: openHandshake, result: 'not-sent', told: CONNECTING },
  {
    name: 'waiting for 100 Continue',
    open: openContinue,
    result: 'not-sent',
    told: / It came before the files were sent\.$/m,
  },
  {
    name: 'sending',
    open: openSending,
    result: 'not-sent',
    told: / It came while the files were being sent\.$/m,
  },
  {
    name: 'waiting for the answer',
    open: openHead,
    result: 'unconfirmed',
    told: / It came after everything was sent, before a response came\.$/m,
  },
  {
    name: 'reading the answer',
    open: openAnswer,
    result: 'unconfirmed',
    told: /^The response of .* was truncated: The step was cancelled/m,
  },
  { name: 'waiting after no connection', open: openRefused, result: 'not-sent', told: WAITING },
  { name: 'waiting after a 503', open: () => openWait(503), result: 'rejected', told: WAITING },
  { name: 'waiting after a 504', open: () => openWait(504), result: 'unconfirmed', told: WAITING },
];
