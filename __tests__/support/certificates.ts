import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUp } from './scope.ts';

/** A certificate and its key as PEM text, and in files that are removed after the test. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly certPath: string;
  readonly keyPath: string;
}

/** What a CA certifies, beside the default: loopback, `localhost` and `HOST`. */
export interface Leaf {
  /** As openssl writes them: `DNS:a.test,IP:127.0.0.1`. */
  readonly names?: string;
  /** Days from now to its end; negative for a certificate that has expired. */
  readonly days?: number;
}

/** A private CA. */
export interface Authority extends Certificate {
  /** Issues a certificate that serves as a server's and as a client's. */
  issue(leaf?: Leaf): Certificate;
  /** Issues the certificate of a CA below this one. */
  delegate(): Authority;
}

/** The made-up name of the service, which no resolver but the tests' own proxies knows. */
export const HOST = 'scans.example.test';

const NAMES = `IP:127.0.0.1,DNS:localhost,DNS:${HOST}`;
const CURVE = 'ec -pkeyopt ec_paramgen_curve:prime256v1';

let issued = 0;

/** Makes a self-signed certificate for loopback and `name`; `algorithm` is openssl's `-newkey`. */
export function makeCertificate(name = 'localhost', algorithm = CURVE): Certificate {
  const names = `subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:${name}`;
  return signItself(name, algorithm, ['-addext', names]);
}

export function makeAuthority(): Authority {
  return authorize(signItself(nameNext()));
}

/** A certificate with that of its issuer after it, as a server or a client sends them. */
export function chain(leaf: Certificate, issuer: Certificate): Certificate {
  const cert = `${leaf.cert}${issuer.cert}`;
  const certPath = leaf.certPath.replace(/\.pem$/, '-chain.pem');
  writeFileSync(certPath, cert);
  return { ...leaf, cert, certPath };
}

function authorize(issuer: Certificate): Authority {
  return {
    ...issuer,
    issue: ({ names = NAMES, days = 2 } = {}) => {
      const usage = 'basicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth,clientAuth';
      return issue(issuer, `${usage}\nsubjectAltName=${names}\n`, days);
    },
    delegate: () =>
      authorize(issue(issuer, 'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign\n', 2)),
  };
}

function signItself(
  name: string,
  algorithm = CURVE,
  extensions: readonly string[] = [],
): Certificate {
  const paths = makePaths();
  const request = `req -x509 -newkey ${algorithm} -nodes -days 2 -subj /CN=${name}`.split(' ');
  openssl(...request, ...extensions, '-keyout', paths.keyPath, '-out', paths.certPath);
  return read(paths);
}

/** In two steps: other systems' openssl cannot sign a request while it makes it. */
function issue(issuer: Certificate, extensions: string, days: number): Certificate {
  const paths = makePaths();
  const [request, config] = [`${paths.keyPath}.csr`, `${paths.keyPath}.cnf`];
  const make = `req -newkey ${CURVE} -nodes -subj /CN=${nameNext()}`.split(' ');
  openssl(...make, '-keyout', paths.keyPath, '-out', request);
  writeFileSync(config, extensions);
  const sign = ['x509', '-req', '-in', request, '-days', String(days), '-extfile', config];
  const signer = ['-CA', issuer.certPath, '-CAkey', issuer.keyPath, '-CAcreateserial'];
  openssl(...sign, ...signer, '-out', paths.certPath);
  return read(paths);
}

/** A subject that no other certificate has: verifiers look for an issuer by its name. */
function nameNext(): string {
  issued += 1;
  return `test-${issued}`;
}

type Paths = Pick<Certificate, 'certPath' | 'keyPath'>;

function makePaths(): Paths {
  const directory = mkdtempSync(join(tmpdir(), 'scan-test-tls-'));
  cleanUp(() => rmSync(directory, { recursive: true, force: true }));
  return { certPath: join(directory, 'cert.pem'), keyPath: join(directory, 'key.pem') };
}

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}

function read({ certPath, keyPath }: Paths): Certificate {
  const [cert, key] = [readFileSync(certPath, 'utf8'), readFileSync(keyPath, 'utf8')];
  return { cert, key, certPath, keyPath };
}
