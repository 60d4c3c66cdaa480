import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../action/fixtures.ts';
import type { CertificateFiles } from '../action/fixtures.ts';

/** The made-up name of the service, which no resolver but the tests' own proxy knows. */
export const HOST = 'scans.example';

/** A private certificate authority. */
export interface Authority extends CertificateFiles {
  /** Issues a certificate that serves as a server's for `names` and as a client's. */
  issue(names?: string): CertificateFiles;
  /** Issues the certificate of an authority below this one. */
  delegate(): Authority;
}

const LOOPBACK = 'IP:127.0.0.1,DNS:localhost';
const KEY_KIND = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Makes a root whose files, and those of all below it, are removed after the test. */
export async function makeAuthority(): Promise<Authority> {
  return authorize(await makeFolder(), 'root');
}

function authorize(folder: string, name: string, issuer?: CertificateFiles): Authority {
  const rights = 'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign';
  const files = certify(folder, name, rights, issuer);
  let issued = 0;
  const nameNext = (): string => `${name}-${(issued += 1)}`;
  return {
    ...files,
    delegate: () => authorize(folder, nameNext(), files),
    issue: (names = `${LOOPBACK},DNS:${HOST}`) => {
      const usage = 'extendedKeyUsage=serverAuth,clientAuth';
      const extensions = `basicConstraints=CA:FALSE\n${usage}\nsubjectAltName=${names}`;
      return certify(folder, nameNext(), extensions, files);
    },
  };
}

/** A certificate with that of its issuer behind it, as a server or a client sends them. */
export function chain(leaf: CertificateFiles, issuer: CertificateFiles): CertificateFiles {
  const certPath = leaf.certPath.replace(/\.pem$/, '-chain.pem');
  const cert = `${leaf.cert}${issuer.cert}`;
  writeFileSync(certPath, cert);
  return { ...leaf, cert, certPath };
}

function certify(
  folder: string,
  name: string,
  extensions: string,
  issuer?: CertificateFiles,
): CertificateFiles {
  const [keyPath, certPath] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  const config = join(folder, `${name}.cnf`);
  const sections = `[req]\ndistinguished_name=dn\nprompt=no\n[dn]\nCN=peers ${name}\n`;
  writeFileSync(config, `${sections}[extensions]\n${extensions}\n`);
  const shape = ['-config', config, '-x509', '-extensions', 'extensions', '-days', '2'];
  const signer = issuer === undefined ? [] : ['-CA', issuer.certPath, '-CAkey', issuer.keyPath];
  const files = ['-keyout', keyPath, '-out', certPath];
  execFileSync('openssl', ['req', ...shape, ...KEY_KIND, ...signer, ...files], { stdio: 'pipe' });
  const [key, cert] = [readFileSync(keyPath, 'utf8'), readFileSync(certPath, 'utf8')];
  return { keyPath, certPath, key, cert };
}
