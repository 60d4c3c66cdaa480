import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { HOST } from '../../support/certificates.ts';
import { makeFolder } from '../../support/directories.ts';
import { getAuthority } from './authority.ts';
import type { Authority } from './authority.ts';
import { startProxy } from '../../support/proxy.ts';
import type { Proxy } from '../../support/proxy.ts';
import { openServer } from '../../support/raw-server.ts';
import type { RawServer, Script } from '../../support/raw-server.ts';
import { REPORT } from '../../support/samples.ts';
import { Scope } from '../../support/scope.ts';
import { makeSecrets } from './secrets.ts';
import type { Secrets, SecretsInUse } from './secrets.ts';
import type { FaultCase, Transport } from './types.ts';
import type { ExpectedPart } from './upload.ts';

/** The workspace, the servers and the secrets of one case. */
export class Scene {
  readonly scope = new Scope();
  readonly transport: Transport;
  readonly workspace: string;
  readonly authority: Authority;
  readonly secrets: Secrets;
  /** The parts that the service must have received for the upload to count. */
  readonly parts: readonly ExpectedPart[];
  readonly cancelling = new AbortController();
  /** When `cancel()` was called, by `performance.now()`. */
  cancelledAt: number | undefined;
  /** The port of another server, or of a proxy, that the case has opened. */
  otherPort = 0;
  readonly #baits: RawServer[] = [];
  #server: RawServer | undefined;
  #proxy: Proxy | undefined;

  private constructor(
    transport: Transport,
    workspace: string,
    authority: Authority,
    parts: readonly ExpectedPart[],
    inUse: SecretsInUse,
  ) {
    this.transport = transport;
    this.workspace = workspace;
    this.authority = authority;
    this.parts = parts;
    this.secrets = makeSecrets(authority.client.key, inUse);
  }

  /** Makes the workspace and opens the service and, where the transport has one, the proxy. */
  static async open(fault: FaultCase, transport: Transport, scope: Scope): Promise<Scene> {
    const workspace = await makeFolder({}, scope);
    writeFiles(workspace, fault);
    const isProxied = transport.endsWith('proxy');
    const inUse = { proxy: isProxied, identity: false, ...fault.secrets };
    const parts = listParts(workspace, fault);
    const scene = new Scene(transport, workspace, getAuthority(), parts, inUse);
    scope.defer(() => scene.scope.close());
    await scene.#openService(fault);
    return scene;
  }

  get server(): RawServer {
    if (this.#server === undefined) throw new Error('The service is not open yet.');
    return this.#server;
  }

  get proxy(): Proxy | undefined {
    return this.#proxy;
  }

  /** Servers that must see no connection. */
  get baits(): readonly RawServer[] {
    return this.#baits;
  }

  get isSecure(): boolean {
    return this.transport.startsWith('https');
  }

  get baseUrl(): string {
    const scheme = this.isSecure ? 'https' : 'http';
    const host = this.#proxy === undefined ? '127.0.0.1' : HOST;
    return `${scheme}://${host}:${this.server.port}`;
  }

  get proxyUrl(): string {
    const password = encodeURIComponent(this.secrets.proxyPassword.value);
    return `http://proxy-user:${password}@127.0.0.1:${this.#proxy?.port ?? 0}`;
  }

  /** The proxy variable for the transport's scheme. */
  get proxyVariable(): string {
    return this.isSecure ? 'https_proxy' : 'http_proxy';
  }

  path(name: string): string {
    return join(this.workspace, name);
  }

  /** Opens another server of the case. */
  async listen(serve: Script, tls?: TlsOptions): Promise<RawServer> {
    return openServer(serve, tls, this.scope);
  }

  /** Opens a server that must see no connection, and returns its origin. */
  async bait(): Promise<string> {
    const tls = this.isSecure ? this.authority.server : undefined;
    const bait = await this.listen((peer) => peer.reply(200), tls);
    this.#baits.push(bait);
    return bait.origin;
  }

  /** Asks the step to stop, as the runner does. */
  cancel(): void {
    this.cancelledAt = performance.now();
    this.cancelling.abort();
  }

  async #openService(fault: FaultCase): Promise<void> {
    const hasTls = fault.wire === undefined ? this.isSecure : fault.wire === 'tls';
    const serve: Script = (peer, turn) => {
      if (fault.serve !== undefined) return fault.serve(peer, this, turn);
      return peer.readUpload().then(() => peer.reply(200));
    };
    const tls = hasTls ? { ...this.authority.server, ...fault.tls?.(this) } : undefined;
    this.#server = await this.listen(serve, tls);
    if (!this.transport.endsWith('proxy')) return;
    this.#proxy = await startProxy(this.server.port, undefined, this.scope);
  }
}

function writeFiles(workspace: string, fault: FaultCase): void {
  for (const [name, content] of Object.entries(fault.files?.() ?? { 'scan.json': REPORT })) {
    const path = join(workspace, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

function listParts(workspace: string, { sent }: FaultCase): readonly ExpectedPart[] {
  const parts = sent ?? [{ part: 'ScanJsonFile', path: 'scan.json' }];
  return parts.map(({ part, path, filename = basename(path) }) => ({
    part,
    filename,
    content: readFileSync(join(workspace, path)),
  }));
}
