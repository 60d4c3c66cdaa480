import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import type { SelfsignedOptions } from 'selfsigned';
import type { Proxy as ProxySetting } from '../../src/service/tunnel.ts';
import { listen } from './servers.ts';
import { TEST_SCOPE } from './workspace.ts';

/** A certificate and its key as PEM text. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A private CA. */
interface Authority extends Certificate {
  /** Issues a certificate for servers and clients; by default for loopback, `localhost` and `HOST`. */
  issue(hosts?: readonly string[]): Promise<Certificate>;
}

/** An invented host name of the service, which only the proxies in the tests resolve. */
export const HOST = 'scans.example.test';

const LOOPBACK = ['127.0.0.1', 'localhost'];
const DAY_MS = 86_400_000;

/**
 * Makes a self-signed certificate for loopback and `name`: of an RSA key with that many bits, else of
 * a key on the curve P-256.
 */
export async function makeCertificate(name = 'localhost', rsaBits?: number): Promise<Certificate> {
  const key = rsaBits === undefined ? {} : ({ keyType: 'rsa', keySize: rsaBits } as const);
  return certify(name, [...LOOPBACK, name], key);
}

/** A certificate followed by that of its issuer, as servers and clients send them. */
export function chain({ cert, key }: Certificate, issuer: Certificate): Certificate {
  return { cert: cert + issuer.cert, key };
}

let named = 0;

/** A unique name, because an issuer is found by its name. */
function makeName(): string {
  return `test-${(named += 1)}`;
}

/** Makes a private CA; with an issuer, an intermediate one below that. */
export async function makeAuthority(issuer?: Certificate): Promise<Authority> {
  const self = await certify(makeName(), [], issuer && { ca: issuer });
  return {
    ...self,
    issue: (hosts = [...LOOPBACK, HOST]) => certify(makeName(), hosts, { ca: self }),
  };
}

/** Issues a certificate for host names and IPv4 addresses. Without these, or without an issuer, it is a CA. */
async function certify(
  name: string,
  hosts: readonly string[],
  options: SelfsignedOptions = {},
): Promise<Certificate> {
  // Loading it takes longer than most tests that import this file.
  const { generate } = await import('selfsigned');
  const altNames = hosts.map((host) =>
    /^[\d.]+$/.test(host) ? ({ type: 7, ip: host } as const) : ({ type: 2, value: host } as const),
  );
  const isAuthority = hosts.length === 0 || options.ca === undefined;
  const pems = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - DAY_MS),
    notAfterDate: new Date(Date.now() + DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: isAuthority, critical: true },
      ...(hosts.length === 0 ? [] : [{ name: 'subjectAltName', altNames } as const]),
    ],
    ...options,
  });
  return { cert: `${pems.cert}\n`, key: `${pems.private}\n` };
}

/** The setting of a proxy on loopback. */
export function makeProxy(port: number, url = `http://127.0.0.1:${port}`): ProxySetting {
  return { url: new URL(url), authorization: undefined };
}

/** A proxy on loopback that opens every tunnel to one port, for any host. */
export interface Proxy {
  readonly port: number;
  /** Each CONNECT, in order; its URL is `host:port`. */
  readonly requests: readonly IncomingMessage[];
}

/** Starts a proxy to a loopback port; with a certificate an https proxy. */
export async function startProxy(
  targetPort: number,
  tls?: TlsOptions,
  scope = TEST_SCOPE,
): Promise<Proxy> {
  const requests: IncomingMessage[] = [];
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  server.on('connect', (request, socket, head) => {
    requests.push(request);
    tunnel(socket, head, targetPort);
  });
  return { port: await listen(server, scope), requests };
}

/** Closes each side when the other fails. */
function tunnel(socket: Duplex, head: Buffer, port: number): void {
  const target = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    target.write(head);
    target.pipe(socket).pipe(target);
  });
  socket.on('error', () => target.destroy());
  socket.once('close', () => target.destroy());
  target.on('error', () => socket.destroy());
}
