import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A key and its certificate as PEM text. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

/** A private certificate authority and what it has issued. */
export interface Authority {
  /** The authority's own certificate. */
  readonly ca: string;
  /** For loopback, `localhost` and `HOST`. */
  readonly server: KeyPair;
  /** For another host's name only. */
  readonly otherHost: KeyPair;
  /** As `server`, past its end. */
  readonly expired: KeyPair;
  readonly client: KeyPair;
  /** Of another authority that nobody trusts. */
  readonly stranger: KeyPair;
}

/** A name that does not resolve, as a service inside a private network has; proxies know it. */
export const HOST = 'scans.example.test';

const NAMES = `subjectAltName=DNS:${HOST},DNS:localhost,IP:127.0.0.1`;

let authority: Promise<Authority> | undefined;

/** The suite's authority, made on first use. */
export function getAuthority(): Promise<Authority> {
  authority ??= makeAuthority();
  return authority;
}

async function makeAuthority(): Promise<Authority> {
  const folder = await mkdtemp(join(tmpdir(), 'fault-authority-'));
  try {
    const issuer = await makeRoot(folder, 'ca');
    const issue = (name: string, extension: string, days = 2): Promise<KeyPair> =>
      issueCertificate(folder, name, extension, days);
    return {
      ca: issuer.cert,
      server: await issue('server', NAMES),
      otherHost: await issue('other-host', 'subjectAltName=DNS:other.example.test'),
      expired: await issue('expired', NAMES, -1),
      client: await issue('client', 'extendedKeyUsage=clientAuth'),
      stranger: await makeRoot(folder, 'stranger'),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeRoot(folder: string, name: string): Promise<KeyPair> {
  const out = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
  await openssl(folder, ['req', '-x509', ...newKey(name), '-days', '2', ...out]);
  return readPair(folder, name);
}

async function issueCertificate(
  folder: string,
  name: string,
  extension: string,
  days: number,
): Promise<KeyPair> {
  const request = ['-keyout', `${name}.key`, '-out', `${name}.csr`];
  await openssl(folder, ['req', ...newKey(name), ...request]);
  await writeFile(join(folder, `${name}.ext`), `${extension}\n`);
  const issuer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
  const content = ['-in', `${name}.csr`, '-extfile', `${name}.ext`, '-days', String(days)];
  await openssl(folder, ['x509', '-req', ...content, ...issuer, '-out', `${name}.pem`]);
  return readPair(folder, name);
}

function newKey(name: string): readonly string[] {
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  return [...kind, '-subj', `/CN=${name}`];
}

async function openssl(folder: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)('openssl', args, { cwd: folder });
}

async function readPair(folder: string, name: string): Promise<KeyPair> {
  const [key, cert] = await Promise.all(
    ['key', 'pem'].map((kind) => readFile(join(folder, `${name}.${kind}`), 'utf8')),
  );
  if (key === undefined || cert === undefined) throw new Error(`openssl made no ${name}`);
  return { key, cert };
}
