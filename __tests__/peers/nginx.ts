import type { Certificate } from '../support/network.ts';
import { findClosedPort } from '../support/servers.ts';
import { makeFolder } from '../support/workspace.ts';
import { startDaemon } from './programs.ts';

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
const SECURE = 'ssl_certificate cert.pem; ssl_certificate_key key.pem;';

/**
 * Starts an nginx in a new directory, on a free port of 127.0.0.1, with directives of its `server` block; with a
 * certificate as a TLS server. Returns its origin. Stopped after the test.
 */
export async function startNginx(server: string, tls?: Certificate): Promise<string> {
  const port = await findClosedPort();
  const listening =
    tls === undefined ? `listen 127.0.0.1:${port};` : `listen 127.0.0.1:${port} ssl; ${SECURE}`;
  const directory = await makeFolder({
    'nginx.conf': writeConfig(`${listening} ${server}`),
    ...(tls !== undefined && { 'cert.pem': tls.cert, 'key.pem': tls.key }),
  });
  const args = ['-p', directory, '-e', 'error.log', '-c', 'nginx.conf', '-g', 'daemon off;'];
  await startDaemon({ program: 'nginx', args, port, signal: 'SIGTERM' });
  return `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
}

/** A location that forwards all requests to a loopback port, with further directives. */
export function passTo(port: number, further = ''): string {
  return `location / { proxy_pass http://127.0.0.1:${port}; ${further} }`;
}

function writeConfig(server: string): string {
  return `
    # Only root may change to another user, and nobody else may read root's temporary directories.
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    worker_processes 1;
    worker_shutdown_timeout 5s;
    error_log error.log info;
    pid nginx.pid;
    events { worker_connections 64; }
    http {
      access_log off;
      ${TEMPORARY.map((kind) => `${kind}_temp_path ${kind};`).join('\n')}
      client_max_body_size 0;
      server { ${server} }
    }`;
}
