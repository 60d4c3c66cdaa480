import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificate } from '../support/certificates.ts';
import { makeFolder } from '../support/directories.ts';
import { findClosedPort } from '../support/raw-server.ts';
import { startDaemon } from './daemon.ts';
import { locateProgram } from './programs.ts';

/** Settings of an nginx, in its own configuration language. */
export interface NginxPlan {
  /** Directives of the `server` block. */
  readonly server: string;
  /** Directives of the `http` block. */
  readonly http?: string;
  /** The certificate of a TLS server; http without it. */
  readonly tls?: Certificate;
}

/** A request in nginx's access log. */
export interface NginxRequest {
  readonly status: number;
  /** Request target as received. */
  readonly target: string;
  /** Bytes of head and body that nginx kept; it discards the body of a refused request. */
  readonly receivedBytes: number;
  /** `TLSv1.2`, `TLSv1.3`, empty for http. */
  readonly tls: string;
  /** Result of verifying the client certificate: `SUCCESS`, `NONE`, `FAILED:...`. */
  readonly verified: string;
  /** `100-continue` if the client sent an `Expect` header, else empty. */
  readonly expect: string;
}

/** A running nginx, stopped after the test. */
export interface Nginx {
  readonly port: number;
  /** Origin at 127.0.0.1. */
  readonly url: string;
  /** Stops nginx once open requests have ended, and returns the requests that it logged. */
  finish(): Promise<readonly NginxRequest[]>;
}

const LOG_FIELDS = [
  '$status',
  '$request_uri',
  '$request_length',
  '$ssl_protocol',
  '$ssl_client_verify',
  '$http_expect',
];
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Starts an nginx in a new directory, on a free port of 127.0.0.1. */
export async function startNginx(plan: NginxPlan): Promise<Nginx> {
  const directory = await makeFolder();
  const port = await findClosedPort();
  const config = join(directory, 'nginx.conf');
  const accessLog = join(directory, 'access.log');
  writeFileSync(accessLog, '');
  writeFileSync(config, writeConfig(plan, directory, port, accessLog));
  const args = [
    '-p',
    directory,
    '-e',
    join(directory, 'error.log'),
    '-c',
    config,
    '-g',
    'daemon off;',
  ];
  const daemon = await startDaemon({ path: locateProgram('nginx'), args, port });
  return {
    port,
    url: `${plan.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    finish: async () => {
      await daemon.end('SIGQUIT');
      return readFileSync(accessLog, 'utf8').split('\n').filter(Boolean).map(parseEntry);
    },
  };
}

/** A location that forwards all requests to a loopback port, with further directives. */
export function passTo(port: number, further = ''): string {
  return `location / { proxy_pass http://127.0.0.1:${port}; ${further} }`;
}

function writeConfig(
  { server, http = '', tls }: NginxPlan,
  directory: string,
  port: number,
  accessLog: string,
): string {
  const certificate =
    tls === undefined ? '' : `ssl_certificate ${tls.certPath};ssl_certificate_key ${tls.keyPath};`;
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
      log_format fields '${LOG_FIELDS.join('\t')}';
      access_log ${accessLog} fields;
      ${paths.join('\n')}
      client_max_body_size 0;
      ${http}
      server {
        listen 127.0.0.1:${port}${tls === undefined ? '' : ' ssl'};
        ${certificate}
        ${server}
      }
    }`;
}

function parseEntry(line: string): NginxRequest {
  // nginx logs a dash for a field without a value.
  const fields = line.split('\t').map((field) => (field === '-' ? '' : field));
  const [status = '', target = '', length = '', tls = '', verified = '', expect = ''] = fields;
  return {
    status: Number(status),
    target,
    receivedBytes: Number(length),
    tls,
    verified,
    expect,
  };
}
