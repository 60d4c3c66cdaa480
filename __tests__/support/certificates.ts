import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUp } from './scope.ts';
import { signCertificate } from './x509.ts';
import type { CertificateFacts } from './x509.ts';

/** A certificate and its key as PEM text, and in files that are removed after the test. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly certPath: string;
  readonly keyPath: string;
}

/** Settings of a certificate; by default it is valid for loopback, `localhost` and `HOST`. */
export interface Leaf {
  /** Host names and IPv4 addresses. */
  readonly hosts?: readonly string[];
  /** Days until it is valid. */
  readonly from?: number;
  /** Days until it expires; negative for an expired certificate. */
  readonly days?: number;
}

/** A private CA. */
export interface Authority extends Certificate {
  /** Issues a certificate for servers and clients. */
  issue(leaf?: Leaf): Certificate;
  /** Creates an intermediate CA below this one. */
  delegate(): Authority;
}

/** An invented host name of the service, which only the proxies in the tests resolve. */
export const HOST = 'scans.example.test';

const LOOPBACK = ['127.0.0.1', 'localhost'];
const DEFAULTS = { hosts: [...LOOPBACK, HOST], days: 2 };

/** A name with its key: the subject or the issuer of a certificate. */
interface Identity {
  readonly name: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

let named = 0;

/**
 * Makes a self-signed certificate for loopback and `name`: of an RSA key with that many bits, else of
 * a key on the curve P-256.
 */
export function makeCertificate(name = 'localhost', rsaBits?: number): Certificate {
  const self = makeIdentity(name, rsaBits);
  return certify(self, self, { ...DEFAULTS, hosts: [...LOOPBACK, name], isAuthority: true });
}

export function makeAuthority(): Authority {
  const self = makeIdentity();
  return authorize(self, self);
}

/** A certificate followed by that of its issuer, as servers and clients send them. */
export function chain(leaf: Certificate, issuer: Certificate): Certificate {
  const cert = `${leaf.cert}${issuer.cert}`;
  const certPath = leaf.certPath.replace(/\.pem$/, '-chain.pem');
  writeFileSync(certPath, cert);
  return { ...leaf, cert, certPath };
}

function authorize(self: Identity, issuer: Identity): Authority {
  return {
    ...certify(self, issuer, { ...DEFAULTS, hosts: [], isAuthority: true }),
    issue: (leaf) => certify(makeIdentity(), self, { ...DEFAULTS, ...leaf, isAuthority: false }),
    delegate: () => authorize(makeIdentity(), self),
  };
}

/** The default name is unique, because an issuer is found by its name. */
function makeIdentity(name = `test-${(named += 1)}`, rsaBits?: number): Identity {
  const keys =
    rsaBits === undefined
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: rsaBits });
  return { name, ...keys };
}

function certify(
  { name, privateKey, publicKey }: Identity,
  issuer: Identity,
  facts: Pick<CertificateFacts, 'hosts' | 'from' | 'days' | 'isAuthority'>,
): Certificate {
  const directory = mkdtempSync(join(tmpdir(), 'scan-test-tls-'));
  cleanUp(() => rmSync(directory, { recursive: true, force: true }));
  const [certPath, keyPath] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const all = { ...facts, subject: name, issuer: issuer.name, publicKey };
  const cert = signCertificate(all, issuer.privateKey);
  const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(certPath, cert);
  writeFileSync(keyPath, key, { mode: 0o600 });
  return { cert, key, certPath, keyPath };
}
