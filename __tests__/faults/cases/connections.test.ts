import { setTimeout as wait } from 'node:timers/promises';
import { HOST } from '../../support/network.ts';
import { preload } from '../../support/run-action.ts';
import { makeReply } from '../../support/servers.ts';
import {
  AUTHORITY,
  NOT_SENT,
  SHORT,
  STALL,
  UNCONFIRMED,
  afterHead,
  afterPart,
  afterUpload,
  makeLarge,
} from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';
import { hostileHeaders, hostileReply } from '../harness/secrets.ts';

/** The service has the whole upload, but no complete response arrives; `every-byte` has each byte of it. */
runCases([
  {
    name: 'a 200 trickles until the time limit, from a peer that ignores the end of the connection',
    transport: 'https',
    inputs: () => SHORT,
    serve: afterUpload((peer) => {
      peer.socket.allowHalfOpen = true;
      peer.send('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
      const timer = setInterval(() => peer.send(' '), 100);
      peer.socket.once('close', () => clearInterval(timer));
    }),
    expected: { ...UNCONFIRMED, reason: 'time-limit', status: '200' },
  },
  {
    name: 'the whole body, then reset, and the second attempt is refused with every secret',
    inputs: () => ({ retries: '1' }),
    serve: afterUpload((peer, { secrets }, turn) => {
      if (turn === 1) return peer.reset();
      peer.reply(401, hostileReply(secrets));
    }),
    expected: { result: 'unconfirmed', reason: 'credentials', status: '401', attempts: 2 },
  },
]);

/** Without the second after which files are sent unasked: a busy machine needs longer to refuse them. */
const ASK_LONG = `
  const { setTimeout: set } = globalThis;
  globalThis.setTimeout = (run, ms, ...rest) => set(run, ms === 1000 ? 60_000 : ms, ...rest);`;

/** Failures and responses before all files are sent, which the buffers of the systems delay or lose. */
runCases([
  {
    name: 'the service stops reading',
    transport: 'https-proxy',
    // More than the buffers of a proxy and of four sockets take.
    files: makeLarge(48),
    inputs: () => STALL,
    serve: async (peer) => {
      await peer.readHeadAndContinue();
      peer.socket.pause();
    },
    expected: { result: 'not-sent', reason: 'stalled', status: '' },
  },
  {
    name: 'reset after a part of the body',
    transport: 'https',
    files: makeLarge(33),
    serve: afterPart((peer) => peer.reset()),
    expected: NOT_SENT,
  },
  {
    name: '413 instead of 100 Continue, then a reset',
    transport: 'https',
    env: () => preload(ASK_LONG),
    files: makeLarge(3),
    serve: afterHead(async (peer, { secrets }) => {
      // For files that would be sent unasked.
      await wait(300);
      peer.socket.write(makeReply(413, hostileReply(secrets)), () => peer.reset());
    }),
    expected: { result: 'rejected', reason: 'too-large', status: '413', attempts: 1 },
    check: ({ server }) =>
      server.peers[0]?.body.length === 0 ? [] : ['files were sent before they were asked for'],
  },
  {
    name: '413 after a part of the body, which is left unread, then a reset',
    // Windows may drop what has arrived once the connection is reset.
    posixOnly: true,
    files: makeLarge(33),
    serve: afterPart((peer, { secrets }) => {
      peer.socket.pause();
      peer.socket.write(makeReply(413, hostileReply(secrets)), () => peer.reset());
    }),
    expected: { result: 'rejected', reason: 'too-large', attempts: 1 },
  },
  {
    name: '200 after a part of the body, while the rest is left unread',
    transport: 'https',
    files: makeLarge(33),
    serve: afterPart((peer) => {
      peer.socket.pause();
      peer.send('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      peer.accepted = true;
    }),
    expected: { ...NOT_SENT, status: '200' },
  },
]);

const UNTRUSTED = { ...NOT_SENT, reason: 'certificate' } as const;

/** TLS and proxies; `__tests__/service` has more faults. */
runCases([
  {
    name: 'a certificate for another host',
    transport: 'https-proxy',
    tls: AUTHORITY.otherHost,
    inputs: () => ({ retries: '2' }),
    expected: UNTRUSTED,
  },
  {
    name: 'a client certificate is required and not given',
    transport: 'https-proxy',
    tls: { ca: AUTHORITY.ca, requestCert: true, rejectUnauthorized: true },
    inputs: () => ({ 'client-cert': '', 'client-key': '', retries: '2' }),
    expected: UNTRUSTED,
  },
  {
    name: 'the proxy responds with 407 and repeats its password',
    transport: 'https',
    secrets: 'proxy',
    other: (peer, { secrets }) => {
      const reason = `No ${secrets.proxyPassword.value}`;
      peer.replyAsStranger(407, { reason, headers: hostileHeaders(secrets), body: reason });
    },
    env: (scene) => ({ [scene.proxyVariable]: scene.writeProxy(scene.other.port) }),
    // Only a proxy can reach it.
    inputs: () => ({ 'base-url': `https://${HOST}` }),
    expected: { ...NOT_SENT, reason: 'proxy', connections: 0 },
  },
  {
    // It gets neither target nor credentials.
    name: "an https proxy with a certificate for the service's name instead of its own",
    transport: 'http-proxy',
    proxyTls: AUTHORITY.serviceOnly,
    inputs: () => ({ 'ca-cert': AUTHORITY.ca, retries: '2' }),
    env: ({ proxy, proxyVariable, writeProxy }) => ({
      [proxyVariable]: writeProxy(proxy?.port ?? 0, 'https://localhost'),
    }),
    expected: UNTRUSTED,
    check: ({ proxy }) => (proxy?.requests.length === 0 ? [] : ['the proxy was asked']),
  },
]);
