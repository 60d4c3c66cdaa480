import { join } from 'node:path';
import { getPath, runWhole } from './whole-process.ts';

/** A key pair as paths of PEM files. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

/** Makes a key pair for 127.0.0.1 that is its own authority, with openssl. */
export async function makeKeyPair(folder: string): Promise<KeyPair> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const subject = '-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1';
  const args = ['req', ...`${kind} ${subject}`.split(' '), '-keyout', key, '-out', cert];
  await runWhole({ file: 'openssl', args, cwd: folder, env: getPath() });
  return { key, cert };
}
