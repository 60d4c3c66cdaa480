import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOST } from '../../support/certificates.ts';
import { makeFolder } from '../../support/directories.ts';
import { startProxy } from '../../support/proxy.ts';
import type { Proxy } from '../../support/proxy.ts';
import { openServer } from '../../support/raw-server.ts';
import type { RawServer, Script } from '../../support/raw-server.ts';
import { REPORT } from '../../support/samples.ts';
import type { Scope } from '../../support/scope.ts';
import { AUTHORITY } from './authority.ts';
import { makeSecrets } from './secrets.ts';
import type { Secrets } from './secrets.ts';
import type { CaseScript, FaultCase, Transport } from './types.ts';

const acceptUpload: CaseScript = (peer) => peer.readUpload().then(() => peer.reply(200));

/** The workspace, the servers and the secrets of one case. */
export class Scene {
  readonly scope: Scope;
  readonly transport: Transport;
  readonly workspace: string;
  readonly secrets: Secrets;
  /** What the service must have received for the upload to count: its filename, and the content before the run. */
  readonly sent: { readonly filename: string; readonly content: Buffer };
  readonly server: RawServer;
  readonly proxy: Proxy | undefined;
  readonly cancelling = new AbortController();
  /** When `cancel()` was called, by `performance.now()`. */
  cancelledAt: number | undefined;
  /** The port of `other`, or of a proxy, that the case has opened. */
  otherPort = 0;
  /** Servers that must see no connection. */
  readonly baits: RawServer[] = [];

  /** Makes the workspace and opens the service and, where the transport has one, the proxy. */
  static async open(fault: FaultCase, transport: Transport, scope: Scope): Promise<Scene> {
    const workspace = await makeFolder(fault.files?.() ?? { 'scan.json': REPORT }, scope);
    const wire = fault.wire ?? (transport.startsWith('https') ? 'tls' : 'tcp');
    const tls = wire === 'tls' ? { ...AUTHORITY.server, ...fault.tls } : undefined;
    const serve: Script = (peer, turn) => (fault.serve ?? acceptUpload)(peer, scene, turn);
    const server = await openServer(serve, tls, scope);
    const isProxied = transport.endsWith('proxy');
    const proxy = isProxied ? await startProxy(server.port, undefined, scope) : undefined;
    const scene = new Scene(fault, transport, { scope, workspace, server, proxy });
    const { other } = fault;
    if (other !== undefined) {
      const play: Script = (peer, turn) => peer.readHead().then(() => other(peer, scene, turn));
      scene.otherPort = (await openServer(play, undefined, scope)).port;
    }
    return scene;
  }

  private constructor(
    fault: FaultCase,
    transport: Transport,
    opened: Pick<Scene, 'scope' | 'workspace' | 'server' | 'proxy'>,
  ) {
    this.scope = opened.scope;
    this.workspace = opened.workspace;
    this.server = opened.server;
    this.proxy = opened.proxy;
    this.transport = transport;
    const inUse = { proxy: this.proxy !== undefined, identity: false, ...fault.secrets };
    this.secrets = makeSecrets(AUTHORITY.client.key, inUse);
    const { path, filename } = fault.sent ?? { path: 'scan.json', filename: 'scan.json' };
    this.sent = { filename, content: readFileSync(this.path(path)) };
  }

  get isSecure(): boolean {
    return this.transport.startsWith('https');
  }

  get baseUrl(): string {
    const scheme = this.isSecure ? 'https' : 'http';
    const host = this.proxy === undefined ? '127.0.0.1' : HOST;
    return `${scheme}://${host}:${this.server.port}`;
  }

  /** The proxy variable for the transport's scheme. */
  get proxyVariable(): string {
    return this.isSecure ? 'https_proxy' : 'http_proxy';
  }

  /** The address of a proxy with credentials. */
  writeProxy(port: number, origin = 'http://127.0.0.1'): string {
    const password = encodeURIComponent(this.secrets.proxyPassword.value);
    return `${origin.replace('//', `//proxy-user:${password}@`)}:${port}`;
  }

  path(name: string): string {
    return join(this.workspace, name);
  }

  /** Opens a server that must see no connection, and returns its origin. */
  async bait(): Promise<string> {
    const tls = this.isSecure ? AUTHORITY.server : undefined;
    const bait = await openServer((peer) => peer.reply(200), tls, this.scope);
    this.baits.push(bait);
    return bait.origin;
  }

  /** Asks the step to stop, as the runner does. */
  cancel(): void {
    this.cancelledAt = performance.now();
    this.cancelling.abort();
  }
}
