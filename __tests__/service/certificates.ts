import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A self-signed certificate and its key, as PEM text. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Makes a self-signed certificate with the openssl that every supported system has. */
export async function makeCertificate(
  names = 'IP:127.0.0.1,DNS:upload.test',
): Promise<Certificate> {
  const directory = await mkdtemp(join(tmpdir(), 'service-tls-'));
  try {
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
    const kind = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
    const subject = `-subj /CN=upload.test -addext subjectAltName=${names}`;
    const args = `req ${kind} ${subject}`.split(' ');
    await promisify(execFile)('openssl', [...args, '-keyout', key, '-out', cert]);
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
