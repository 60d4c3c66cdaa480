import { X509Certificate } from 'node:crypto';
import type { TlsOptions } from 'node:tls';
import { openBlackHole } from '../../faults/support/black-hole.ts';
import { makeConnectionError, makeResponse } from '../../support/attempts.ts';
import type { ConnectionError } from '../../../src/service/attempt.ts';
import type { AttemptSpec } from '../../support/attempts.ts';
import { HOST, makeAuthority, makeCertificate } from '../../support/certificates.ts';
import type { Peer } from '../../support/peer.ts';
import { startProxy } from '../../support/proxy.ts';
import { findClosedPort, openServer } from '../../support/raw-server.ts';
import type { Script } from '../../support/raw-server.ts';
import { MIB } from '../../support/samples.ts';
import { ANY, CONNECTING, LARGE, preload, readByte, respond, respondEarly, serve } from './case.ts';
import type { Case, Cases, Setup } from './case.ts';

const AUTHORITY = makeAuthority();
const SERVER = AUTHORITY.issue();
const TRUST = { 'ca-cert': AUTHORITY.cert };
/** Another CA with the name of the first one. */
const NAMESAKE = makeCertificate(new X509Certificate(AUTHORITY.cert).subject.slice('CN='.length));
const MUTUAL = { ...SERVER, ca: AUTHORITY.cert, requestCert: true, rejectUnauthorized: true };
const CLIENT = { 'client-cert': SERVER.cert, 'client-key': SERVER.key };

const UNKNOWN_ISSUER = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';

/** More than a connection takes at once. */
const HUGE = { 'scan.json': `["${'x'.repeat(24 * MIB)}"]` };
/** A limit for faults that are there from the beginning; others come after a connection. */
const SHORT = { 'stall-timeout-seconds': '1' };
const STALL = { 'stall-timeout-seconds': '3' };

/** The response of a proxy that has opened a tunnel. */
const TUNNEL = 'HTTP/1.1 200 Connection established\r\n\r\n';

const ASKING = { state: 'asking', isSent: false, sentBytes: 0 } satisfies AttemptSpec;
const SENT = { state: 'waiting', isSent: true } satisfies AttemptSpec;
const TUNNELLING = { state: 'tunnelling', isSent: false } satisfies AttemptSpec;
const RESOLVING = { state: 'resolving', isSent: false } satisfies AttemptSpec;
const READING = { state: 'reading', response: { status: 200 } } satisfies AttemptSpec;

const HOLD_NAME = preload(`import dns from 'node:dns'; dns.lookup = () => {};`);
const SHORTEN_WAIT = preload(`
  const { setTimeout: set } = globalThis;
  globalThis.setTimeout = (run, ms, ...rest) => set(run, ms === 300_000 ? 1000 : ms, ...rest);
`);

function at(baseUrl: string, attempt: AttemptSpec, rest: Partial<Setup> = {}): Setup {
  return { attempt, ...rest, inputs: { 'base-url': baseUrl, ...rest.inputs } };
}

function endByLimit(seconds: number, spec: AttemptSpec): AttemptSpec {
  return { ...spec, failure: { kind: 'limit', limitMs: seconds * 1000 } };
}

function failWith(error: Partial<ConnectionError>, spec: AttemptSpec): AttemptSpec {
  const made = makeConnectionError({ text: ANY, ...error });
  return { ...spec, failure: { kind: 'connection', error: made } };
}

/** A TLS handshake with a server. */
function handshake(
  tls: TlsOptions,
  inputs: Setup['inputs'] = TRUST,
  code?: string,
  spec: AttemptSpec = CONNECTING,
): Case {
  return serve({ tls, inputs, attempt: failWith({ code }, spec) });
}

/** A TLS handshake with a server that does not speak TLS, or not to its end. */
function handshakeWith(act: (peer: Peer) => void, inputs: Setup['inputs'] = {}): Case {
  return serve({ scheme: 'https', read: readByte, act, inputs, attempt: CONNECTING });
}

/** Sends a fatal alert of TLS (RFC 8446, section 6). */
function alert(code: number): (peer: Peer) => void {
  return (peer) => void peer.socket.end(Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, code]));
}

/** An upload through a proxy, to a host that only a proxy knows. */
function through(
  open: () => Promise<string> | string,
  attempt: AttemptSpec = failWith({ isProxys: true }, TUNNELLING),
): Case {
  return async () =>
    at(`http://${HOST}`, attempt, { inputs: SHORT, env: { http_proxy: await open() } });
}

function throughServer(script: Script, attempt: AttemptSpec): Case {
  return through(async () => (await openServer(script)).origin, attempt);
}

/** A proxy that responds to CONNECT with a status. */
function refuseConnect(proxyStatus?: number): Case {
  const proxyResponse =
    proxyStatus === undefined ? undefined : makeResponse({ status: proxyStatus });
  const refuse = async (peer: Peer): Promise<void> => {
    await peer.readHead();
    if (proxyStatus === undefined) peer.end();
    else peer.replyAsStranger(proxyStatus);
  };
  return throughServer(refuse, failWith({ isProxys: true, proxyResponse }, TUNNELLING));
}

/** What happens to a connection. */
export const CONNECTION_CASES = {
  'name-unknown': [
    () => at('https://service.invalid', failWith({}, RESOLVING)),
    () =>
      at('https://service.invalid', endByLimit(1, RESOLVING), { inputs: SHORT, env: HOLD_NAME }),
  ],
  'connect-failed': [
    async () =>
      at(`https://127.0.0.1:${await openBlackHole()}`, endByLimit(1, CONNECTING), {
        inputs: SHORT,
      }),
    async () => {
      const { origin } = await openServer((peer) => peer.send(TUNNEL));
      const env = { https_proxy: origin };
      return at(`https://${HOST}`, endByLimit(1, CONNECTING), { inputs: SHORT, env });
    },
    async () => at(`http://127.0.0.1:${await findClosedPort()}`, CONNECTING),
    handshakeWith((peer) => peer.end()),
  ],
  certificate: [
    handshake(AUTHORITY.issue({ days: -1 }), TRUST, 'CERT_HAS_EXPIRED'),
    handshake(AUTHORITY.issue({ from: 1 }), TRUST, 'CERT_NOT_YET_VALID'),
    handshake(AUTHORITY.issue({ hosts: [HOST] }), TRUST, 'ERR_TLS_CERT_ALTNAME_INVALID'),
    handshake(makeCertificate(), {}, 'DEPTH_ZERO_SELF_SIGNED_CERT'),
    handshake(SERVER, {}, UNKNOWN_ISSUER),
    handshake(SERVER, { 'ca-cert': makeCertificate().cert }, UNKNOWN_ISSUER),
    handshake(SERVER, { 'ca-cert': NAMESAKE.cert }, 'CERT_SIGNATURE_FAILURE'),
    through(
      async () => `https://127.0.0.1:${(await startProxy(1, SERVER)).port}`,
      failWith({ isProxys: true, code: UNKNOWN_ISSUER }, TUNNELLING),
    ),
  ],
  'client-certificate': [
    // With TLS 1.3 the client has ended its handshake before it is refused.
    handshake({ ...MUTUAL, minVersion: 'TLSv1.3' }, TRUST, undefined, ASKING),
    handshake({ ...MUTUAL, maxVersion: 'TLSv1.2' }),
    handshakeWith(alert(48), CLIENT),
  ],
  'proxy-credentials': [refuseConnect(407), refuseConnect(401)],
  'proxy-refused': refuseConnect(403),
  'proxy-failed': [
    refuseConnect(502),
    refuseConnect(),
    through(() => 'http://proxy.invalid:3128'),
    through(async () => `http://127.0.0.1:${await findClosedPort()}`),
    throughServer(() => {}, endByLimit(1, TUNNELLING)),
  ],
  'other-protocol': [
    handshakeWith(alert(80)),
    handshakeWith((peer) => peer.replyAsStranger(400)),
    serve({ act: (peer) => peer.send('SSH-2.0-OpenSSH_9.6\r\n'), attempt: SENT }),
    serve({
      read: (peer) => peer.readHead(),
      act: alert(10),
      attempt: failWith({ isTlsRecord: true }, ASKING),
    }),
  ],
  'connection-broken': [
    serve({
      read: (peer) => peer.readHead(),
      act: (peer) => peer.reset(),
      attempt: ASKING,
      files: LARGE,
    }),
    serve({ act: (peer) => peer.end(), attempt: SENT }),
    serve({
      act: (peer) => void peer.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'),
      attempt: failWith({}, { ...READING, response: { status: 200, complete: false } }),
    }),
  ],
  stalled: [
    serve({
      read: (peer) => peer.readHeadAndContinue(),
      act: (peer) => void peer.socket.pause(),
      attempt: endByLimit(3, { state: 'sending', isSent: false }),
      files: HUGE,
      inputs: STALL,
    }),
    serve({
      act: (peer) => peer.send('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'),
      attempt: endByLimit(3, READING),
      inputs: STALL,
    }),
  ],
  'response-silent': serve({ attempt: endByLimit(300, SENT), env: SHORTEN_WAIT }),
  'response-unreadable': [
    respond(200, { headers: { 'content-encoding': 'unknown' }, body: 'x' }),
    serve({
      act: (peer) => peer.replyAsStranger(200, { body: 'x'.repeat(2 * MIB) }),
      attempt: { ...READING, failure: { kind: 'too-long' } },
    }),
  ],
  'early-success': respondEarly(200),
} satisfies Partial<Cases>;
