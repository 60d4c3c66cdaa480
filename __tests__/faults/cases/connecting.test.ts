import {
  ACCEPTED,
  AUTHORITY,
  NOT_SENT,
  STALL,
  UNCONFIRMED,
  afterFirstByte,
  afterUpload,
} from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';

const UNTRUSTED = { ...NOT_SENT, reason: 'certificate' } as const;
const ASK_FOR_CLIENT = { ca: AUTHORITY.ca, requestCert: true, rejectUnauthorized: true };

/** The TLS handshake fails. */
runCases([
  {
    name: 'the TLS handshake gets no response',
    transports: ['https-proxy'],
    wire: 'tcp',
    inputs: () => STALL,
    serve: () => {},
    expected: NOT_SENT,
  },
  {
    name: 'the connection is reset within the TLS handshake',
    transports: ['https'],
    wire: 'tcp',
    serve: afterFirstByte((peer) => peer.reset()),
    expected: NOT_SENT,
  },
  {
    name: 'http to an https port',
    wire: 'tls',
    expected: { result: ['not-sent', 'unconfirmed'], reason: 'connection', attempts: 1 },
  },
]);

/** A response that is not correct: where it ends is not certain. */
runCases(
  Object.entries({
    'Content-Length with Transfer-Encoding':
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'two Content-Lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok',
    'a bad chunk size': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
  }).map(([what, response]) => ({
    name: `a response with ${what}`,
    serve: afterUpload((peer) => peer.send(response)),
    expected: { ...UNCONFIRMED, status: what === 'a bad chunk size' ? '200' : '' },
  })),
);

/** Certificates on either side, behind a proxy. */
runCases([
  {
    name: 'another CA given as ca-cert',
    transports: ['https-proxy'],
    inputs: () => ({ 'ca-cert': AUTHORITY.stranger.cert, retries: '2' }),
    expected: UNTRUSTED,
  },
  ...(['otherHost', 'expired'] as const).map((which) => ({
    name: `a certificate that is not valid (${which})`,
    transports: ['https-proxy'] as const,
    tls: AUTHORITY[which],
    inputs: () => ({ retries: '2' }),
    expected: UNTRUSTED,
  })),
  {
    name: 'a client certificate is required and given',
    transports: ['https-proxy'],
    tls: ASK_FOR_CLIENT,
    expected: ACCEPTED,
  },
  {
    name: 'a client certificate is required and not given',
    transports: ['https-proxy'],
    tls: ASK_FOR_CLIENT,
    inputs: () => ({ 'client-cert': '', 'client-key': '', retries: '2' }),
    expected: UNTRUSTED,
  },
]);
