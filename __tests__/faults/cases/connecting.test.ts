import { HOST } from '../../support/certificates.ts';
import { AUTHORITY, NOT_SENT, UNCONFIRMED, afterFirstByte, afterUpload } from '../harness/case.ts';
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

runCases([
  {
    name: 'the proxy responds with 407 and repeats its password',
    transports: ['https'],
    secrets: 'proxy',
    other: (peer, { secrets }) => {
      const reason = `No ${secrets.proxyPassword.value}`;
      const body = `${reason}\n##[error]PWNED`;
      peer.replyAsStranger(407, { reason, headers: hostileHeaders(secrets), body });
    },
    env: (scene) => ({ [scene.proxyVariable]: scene.writeProxy(scene.otherPort) }),
    // Only a proxy can reach it.
    inputs: () => ({ 'base-url': `https://${HOST}` }),
    expected: { ...NOT_SENT, reason: 'proxy', connections: 0 },
  },
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
