import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificate } from '../support/certificates.ts';
import { makeFolder } from '../support/directories.ts';
import { findClosedPort } from '../support/raw-server.ts';
import { startDaemon } from './programs.ts';

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/**
 * Starts an nginx in a new directory, on a free port of 127.0.0.1, with directives of its `server` block; with a
 * certificate as a TLS server. Returns its origin. Stopped after the test.
 */
export async function startNginx(server: string, tls?: Certificate): Promise<string> {
  const directory = await makeFolder();
  const port = await findClosedPort();
  const config = join(directory, 'nginx.conf');
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  if (tls !== undefined) {
    writeFileSync(cert, tls.cert);
    writeFileSync(key, tls.key);
  }
  const secure = tls === undefined ? '' : `ssl_certificate ${cert}; ssl_certificate_key ${key};`;
  writeFileSync(config, writeConfig(directory, port, `${server} ${secure}`));
  const log = join(directory, 'error.log');
  const args = ['-p', directory, '-e', log, '-c', config, '-g', 'daemon off;'];
  await startDaemon({ program: 'nginx', args, port, signal: 'SIGTERM' });
  return `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
}

/** A location that forwards all requests to a loopback port, with further directives. */
export function passTo(port: number, further = ''): string {
  return `location / { proxy_pass http://127.0.0.1:${port}; ${further} }`;
}

function writeConfig(directory: string, port: number, server: string): string {
  const paths = TEMPORARY.map((kind) => `${kind}_temp_path ${join(directory, kind)};`);
  return `
    # Only root may change to another user, and nobody else may read root's temporary directories.
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    worker_processes 1;
    worker_shutdown_timeout 5s;
    error_log ${join(directory, 'error.log')} info;
    pid ${join(directory, 'nginx.pid')};
    events { worker_connections 64; }
    http {
      access_log off;
      ${paths.join('\n')}
      client_max_body_size 0;
      server {
        listen 127.0.0.1:${port}${server.includes('ssl_certificate ') ? ' ssl' : ''};
        ${server}
      }
    }`;
}
