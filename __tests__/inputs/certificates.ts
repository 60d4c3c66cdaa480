import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A self-signed certificate and its private key, as PEM text. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

const CURVE = 'ec -pkeyopt ec_paramgen_curve:prime256v1';

/** Makes a pair with the openssl that every supported system has; `algorithm` is that of its -newkey. */
export function makePair(name: string, algorithm = CURVE): Pair {
  const folder = mkdtempSync(join(tmpdir(), 'inputs-tls-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const args = `req -x509 -newkey ${algorithm} -nodes -days 2 -subj /CN=${name}`.split(' ');
    execFileSync('openssl', [...args, '-keyout', key, '-out', cert], { stdio: 'pipe' });
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
