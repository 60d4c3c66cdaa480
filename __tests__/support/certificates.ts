import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SelfsignedOptions } from 'selfsigned';
import { cleanUp } from './scope.ts';

/** A certificate and its key as PEM text, and in files that are removed after the test. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly certPath: string;
  readonly keyPath: string;
}

/** Settings of a certificate; by default it is valid for loopback, `localhost` and `HOST`. */
interface Leaf {
  /** Host names and IPv4 addresses. */
  readonly hosts?: readonly string[];
}

/** A private CA. */
export interface Authority extends Certificate {
  /** Issues a certificate for servers and clients. */
  issue(leaf?: Leaf): Promise<Certificate>;
  /** Creates an intermediate CA below this one. */
  delegate(): Promise<Authority>;
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
  return certify(name, true, { hosts: [...LOOPBACK, name] }, key);
}

export async function makeAuthority(): Promise<Authority> {
  return authorize();
}

/** A certificate followed by that of its issuer, as servers and clients send them. */
export function chain(leaf: Certificate, issuer: Certificate): Certificate {
  const cert = `${leaf.cert}${issuer.cert}`;
  const certPath = leaf.certPath.replace(/\.pem$/, '-chain.pem');
  writeFileSync(certPath, cert);
  return { ...leaf, cert, certPath };
}

let named = 0;

/** A unique name, because an issuer is found by its name. */
function makeName(): string {
  return `test-${(named += 1)}`;
}

async function authorize(issuer?: Certificate): Promise<Authority> {
  const self = await certify(makeName(), true, { hosts: [] }, issuer && { ca: issuer });
  return {
    ...self,
    issue: (leaf = {}) => certify(makeName(), false, leaf, { ca: self }),
    delegate: () => authorize(self),
  };
}

async function certify(
  name: string,
  isAuthority: boolean,
  { hosts = [...LOOPBACK, HOST] }: Leaf,
  options?: SelfsignedOptions,
): Promise<Certificate> {
  // Loading it takes longer than most tests that import this file.
  const { generate } = await import('selfsigned');
  const altNames = hosts.map((host) =>
    /^[\d.]+$/.test(host) ? ({ type: 7, ip: host } as const) : ({ type: 2, value: host } as const),
  );
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
  const [cert, key] = [`${pems.cert}\n`, `${pems.private}\n`];
  const directory = mkdtempSync(join(tmpdir(), 'scan-test-tls-'));
  cleanUp(() => rmSync(directory, { recursive: true, force: true }));
  const [certPath, keyPath] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  writeFileSync(certPath, cert);
  writeFileSync(keyPath, key, { mode: 0o600 });
  return { cert, key, certPath, keyPath };
}
