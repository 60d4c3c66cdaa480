import { NOT_SENT, UNCONFIRMED, afterFirstByte, afterUpload } from '../harness/case-scripts.ts';
import { STALL } from '../harness/limits.ts';
import type { FaultCase } from '../harness/types.ts';

/** A TLS handshake that fails, and a host that the system refuses to connect to. */
const FAILED: readonly FaultCase[] = [
  {
    name: 'the TLS handshake gets no response',
    transports: ['https', 'https-proxy'],
    wire: 'tcp',
    inputs: () => STALL,
    serve: () => {},
    expected: NOT_SENT,
  },
  {
    name: 'the connection is reset within the TLS handshake',
    transports: ['https', 'https-proxy'],
    wire: 'tcp',
    serve: afterFirstByte((peer) => peer.reset()),
    expected: { ...NOT_SENT, reason: ['connection', 'proxy'] },
  },
  {
    name: 'a host without a route',
    transports: ['http'],
    posixOnly: true,
    inputs: () => ({ 'base-url': 'http://255.255.255.255:9', 'allow-http': 'true' }),
    expected: { ...NOT_SENT, connections: 0 },
  },
];

/** The server does not speak HTTP, or not correctly. */
const OTHER_PROTOCOLS: readonly FaultCase[] = [
  {
    name: 'an SSH server on the http port',
    transports: ['http-proxy'],
    serve: (peer) => peer.send('SSH-2.0-OpenSSH_9.6\r\n'),
    expected: { result: ['not-sent', 'unconfirmed'], reason: 'connection', attempts: 1 },
  },
  {
    name: 'an SSH server on the https port',
    transports: ['https'],
    wire: 'tcp',
    serve: (peer) => peer.send('SSH-2.0-OpenSSH_9.6\r\n'),
    expected: NOT_SENT,
  },
  {
    name: 'https to an http port',
    transports: ['https-proxy'],
    wire: 'tcp',
    serve: afterFirstByte((peer) => peer.replyAsStranger(400)),
    expected: NOT_SENT,
  },
  {
    name: 'http to an https port',
    transports: ['http'],
    wire: 'tls',
    expected: { result: ['not-sent', 'unconfirmed'], reason: 'connection', attempts: 1 },
  },
  ...Object.entries({
    'Content-Length with Transfer-Encoding':
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'two Content-Lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok',
    'a header of 20 KB': `HTTP/1.1 200 OK\r\nX-Pad: ${'x'.repeat(20_480)}\r\nContent-Length: 0\r\n\r\n`,
    'a control character in a header':
      'HTTP/1.1 200 OK\r\nX-Bad: \u0001\0\r\nContent-Length: 0\r\n\r\n',
    'a status line that is none': 'HTTP/9 hello\r\n\r\n',
    'a bad chunk size': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
  }).map(([what, response]): FaultCase => ({
    name: `a response with ${what}`,
    serve: afterUpload((peer) => peer.send(response)),
    expected: { ...UNCONFIRMED, status: what === 'a bad chunk size' ? '200' : '' },
  })),
];

export const CONNECTING: readonly FaultCase[] = [...FAILED, ...OTHER_PROTOCOLS];
