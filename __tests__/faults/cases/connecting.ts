import type { FaultCase, Transport } from '../harness/types.ts';
import { STALL } from './limits.ts';
import { NOT_SENT, afterFirstByte, afterUpload } from '../harness/serve.ts';

const SECURE: readonly Transport[] = ['https', 'https-proxy'];

/** F10: a TLS handshake that fails. */
const HANDSHAKES: readonly FaultCase[] = [
  {
    row: 'F10',
    variant: 'the TLS handshake gets no response',
    transports: SECURE,
    wire: 'tcp',
    inputs: () => STALL,
    serve: () => {},
    expected: {
      ...NOT_SENT,
      says: /^No connection to .* within 3 s|opened no connection to .* within 3 s/m,
    },
  },
  {
    row: 'F10',
    variant: 'the connection is reset within the TLS handshake',
    transports: SECURE,
    wire: 'tcp',
    serve: afterFirstByte((peer) => peer.reset()),
    expected: NOT_SENT,
  },
  {
    row: 'F10',
    variant: 'the connection ends within the TLS handshake',
    transports: SECURE,
    wire: 'tcp',
    serve: afterFirstByte((peer) => peer.end()),
    expected: NOT_SENT,
  },
];

/** A host that the system refuses to connect to, without sending anything. */
const NO_ROUTE: readonly FaultCase[] = [
  {
    row: 'F37',
    variant: 'a host without a route',
    transports: ['http'],
    posixOnly: true,
    inputs: () => ({ 'base-url': 'http://255.255.255.255:9', 'allow-http': 'true' }),
    expected: { ...NOT_SENT, says: /failed while connecting: connect E/, connections: 0 },
  },
];

/** F11: the server does not speak HTTP, or not correctly. */
const OTHER_PROTOCOLS: readonly FaultCase[] = [
  {
    row: 'F11',
    variant: 'an SSH server on the http port',
    transports: ['http', 'http-proxy'],
    serve: (peer) => peer.send('SSH-2.0-OpenSSH_9.6\r\n'),
    expected: {
      result: ['not-sent', 'unconfirmed'],
      attempts: '1',
      says: /does not speak HTTP/,
    },
  },
  {
    row: 'F11',
    variant: 'an SSH server on the https port',
    transports: SECURE,
    wire: 'tcp',
    serve: (peer) => peer.send('SSH-2.0-OpenSSH_9.6\r\n'),
    expected: { result: 'not-sent', attempts: '1', says: /does not speak TLS/ },
  },
  {
    row: 'F11',
    variant: 'https to an http port',
    transports: SECURE,
    wire: 'tcp',
    serve: afterFirstByte((peer) => peer.replyAsStranger(400)),
    expected: { result: 'not-sent', attempts: '1', says: /does not speak TLS/ },
  },
  {
    row: 'F11',
    variant: 'http to an https port',
    transports: ['http'],
    wire: 'tls',
    expected: { result: ['not-sent', 'unconfirmed'], attempts: '1' },
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
  }).map(([variant, response]): FaultCase => ({
    row: 'F11',
    variant,
    serve: afterUpload((peer) => peer.send(response)),
    expected: { result: 'unconfirmed', attempts: '1' },
  })),
];

export const CONNECTING: readonly FaultCase[] = [...HANDSHAKES, ...NO_ROUTE, ...OTHER_PROTOCOLS];
