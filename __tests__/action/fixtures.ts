import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { runStep } from '../../local/step/index.ts';
import type { StepOptions, StepRun } from '../../local/step/index.ts';
import { SCAN_KEY, cleanUp, makeFolder } from '../local/fixtures.ts';

export { SCAN_KEY, cleanUp, makeFolder, openService, sha256 } from '../local/fixtures.ts';

/** The repository, whose committed dist/ the tests run. */
export const ACTION = fileURLToPath(new URL('../../', import.meta.url));

export const TOKEN = 'token-that-is-secret-4711';

/** A small scan file that is JSON and no CycloneDX. */
export const REPORT = JSON.stringify({ SchemaVersion: 2, Results: [] });

/** A small CycloneDX inventory. */
export const INVENTORY = JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  components: [{ type: 'library', name: 'left', version: '1.0.0' }],
});

/** A workspace with files, by relative path. */
export async function makeWorkspace(
  files: Readonly<Record<string, string | Uint8Array>> = { 'scan.json': REPORT },
): Promise<string> {
  const workspace = await makeFolder();
  for (const [path, content] of Object.entries(files)) {
    const absolute = join(workspace, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
  }
  return workspace;
}

/** Runs the committed action on `scan.json`, unless the inputs name other files. */
export async function runAction(
  workspace: string,
  inputs: Readonly<Record<string, string>>,
  options: Partial<StepOptions> = {},
): Promise<StepRun> {
  const names = ['files', 'scan-file', 'dependencies-file', 'vulnerabilities-file'];
  const isNamed = names.some((name) => name in inputs);
  const run = await runStep({
    action: ACTION,
    workspace,
    inputs: {
      'scan-key': SCAN_KEY,
      token: TOKEN,
      ...(!isNamed && { 'scan-file': 'scan.json' }),
      ...inputs,
    },
    timeoutMs: 60_000,
    ...options,
  });
  return run;
}

/** A raw TCP server on loopback, closed after the test. */
export interface RawServer {
  readonly url: string;
  readonly port: number;
  /** How many connections were made. */
  readonly connections: () => number;
}

/** Listens on port 0; `serve` is called with each connection, whose errors are ignored. */
export async function listenRaw(
  serve: (socket: Socket) => void,
  tls?: TlsOptions,
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const accept = (socket: Socket): void => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket);
  };
  const server = tls === undefined ? createServer(accept) : createTlsServer(tls, accept);
  const port = await listen(server);
  cleanUp(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const scheme = tls === undefined ? 'http' : 'https';
  return { url: `${scheme}://127.0.0.1:${port}`, port, connections: () => connections };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return address.port;
}

/** Key and certificate made by `makeCertificate`, as text and as paths. */
export interface CertificateFiles {
  readonly keyPath: string;
  readonly certPath: string;
  readonly key: string;
  readonly cert: string;
}

/** A certificate of its own authority for a host name and for loopback. */
export async function makeCertificate(commonName = 'localhost'): Promise<CertificateFiles> {
  const folder = await makeFolder();
  const keyPath = join(folder, 'key.pem');
  const certPath = join(folder, 'cert.pem');
  const names = `subjectAltName=DNS:${commonName},DNS:localhost,IP:127.0.0.1`;
  const subject = ['-subj', `/CN=${commonName}`, '-addext', names];
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  const files = ['-keyout', keyPath, '-out', certPath];
  execFileSync('openssl', ['req', ...kind, ...subject, ...files], { stdio: 'ignore' });
  const key = readFileSync(keyPath, 'utf8');
  return { keyPath, certPath, key, cert: readFileSync(certPath, 'utf8') };
}
