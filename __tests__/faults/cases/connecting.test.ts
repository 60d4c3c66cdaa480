import { HOST } from '../../support/certificates.ts';
import { AUTHORITY, NOT_SENT, UNCONFIRMED, afterFirstByte, afterUpload } from '../harness/case.ts';
import type { CaseScript, FaultCase } from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';
import { hostileHeaders } from '../harness/secrets.ts';

const UNTRUSTED = { ...NOT_SENT, reason: 'certificate' } as const;

/** TLS; `__tests__/service` has more faults, of proxies too. */
runCases([
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
  {
    name: 'a certificate for another host',
    transports: ['https-proxy'],
    tls: AUTHORITY.otherHost,
    inputs: () => ({ retries: '2' }),
    expected: UNTRUSTED,
  },
  {
    name: 'a client certificate is required and not given',
    transports: ['https-proxy'],
    tls: { ca: AUTHORITY.ca, requestCert: true, rejectUnauthorized: true },
    inputs: () => ({ 'client-cert': '', 'client-key': '', retries: '2' }),
    expected: UNTRUSTED,
  },
  {
    name: 'a response with two Content-Lengths: where it ends is not certain',
    serve: afterUpload((peer) =>
      peer.send('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'),
    ),
    expected: UNCONFIRMED,
  },
]);

/** A proxy that does as `script` says, and a service that only a proxy can reach. */
function throughProxy(name: string, script: CaseScript): FaultCase {
  return {
    name: `the proxy ${name}`,
    transports: ['https'],
    secrets: 'proxy',
    other: script,
    env: (scene) => ({ [scene.proxyVariable]: scene.writeProxy(scene.otherPort) }),
    expected: { ...NOT_SENT, reason: 'proxy', connections: 0 },
    inputs: () => ({ 'base-url': `https://${HOST}` }),
  };
}

/** What a proxy may do with a CONNECT. */
runCases([
  throughProxy('responds with 407 and repeats its password', (peer, { secrets }) => {
    const reason = `No ${secrets.proxyPassword.value}`;
    const body = `${reason}\n##[error]PWNED`;
    peer.replyAsStranger(407, { reason, headers: hostileHeaders(secrets), body });
  }),
  throughProxy(
    'opens a tunnel that ends before TLS',
    (peer) => void peer.socket.end('HTTP/1.1 200 Connection established\r\n\r\n'),
  ),
]);

runCases([
  {
    // It gets neither target nor credentials.
    name: "an https proxy with a certificate for the service's name instead of its own",
    transports: ['http-proxy'],
    proxyTls: AUTHORITY.serviceOnly,
    inputs: () => ({ 'ca-cert': AUTHORITY.ca, retries: '2' }),
    env: ({ proxy, proxyVariable, writeProxy }) => ({
      [proxyVariable]: writeProxy(proxy?.port ?? 0, 'https://localhost'),
    }),
    expected: UNTRUSTED,
    check: ({ proxy }) => (proxy?.targets.length === 0 ? [] : ['the proxy was asked']),
  },
]);
