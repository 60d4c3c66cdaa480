import { utimes, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import type { DuplexOptions } from 'node:stream';
import type { OpenFile } from '../../src/files/open.ts';
import { openScanFile } from '../../src/files/open.ts';
import { createAgent } from '../../src/service/agent.ts';
import type { TlsMaterial } from '../../src/service/agent.ts';
import type { Attempt, AttemptFailure, ServiceResponse, State } from '../../src/service/attempt.ts';
import { frameBody } from '../../src/service/body.ts';
import type { RequestBody } from '../../src/service/body.ts';
import { exchange } from '../../src/service/exchange.ts';
import type { ExchangeLimits } from '../../src/service/exchange.ts';
import type { RequestSpec } from '../../src/service/request.ts';
import type { Proxy } from '../../src/service/tunnel.ts';
import { makeFolder, SCAN_KEY, sha256, cleanUp } from './workspace.ts';

/** A file of an upload on disk that was inspected whole, open; closed and removed after the test. */
export async function makeOpenFile(
  content: string | Uint8Array,
  name = 'scan.json',
): Promise<OpenFile> {
  const workspace = await makeFolder();
  const path = join(workspace, name);
  await writeFile(path, content);
  // An old modification time, so that a change is detected even if the clock is coarse.
  await utimes(path, new Date(0), new Date(0));
  const found = { path, input: 'scan-file', directory: workspace } as const;
  const file = await openScanFile(found, { workspace, includeHidden: false });
  cleanUp(() => file.handle.close());
  return { ...file, digest: sha256(content) };
}

/** The body of an upload of one file with this content. */
export async function makeBody(content: string | Uint8Array = '{}'): Promise<RequestBody> {
  return frameBody(new Map([['ScanJsonFile', await makeOpenFile(content)]]), SCAN_KEY);
}

/** The complete body as it must be sent, with the bytes of the files in it. */
export function joinSegments(
  { segments }: RequestBody,
  ...contents: readonly Uint8Array[]
): Buffer {
  const rest = [...contents];
  return Buffer.concat(
    segments.map((part) => (Buffer.isBuffer(part) ? part : (rest.shift() ?? Buffer.alloc(0)))),
  );
}

/** An error as Node raises it, with a code. */
export function makeError(code: string | undefined, message = `failed ${code}`): Error {
  return Object.assign(new Error(message), code !== undefined && { code });
}

/** The file of a body that has one. */
export function findFile({ segments }: RequestBody): OpenFile {
  const file = segments.find((segment) => !Buffer.isBuffer(segment));
  if (file === undefined || Buffer.isBuffer(file)) throw new Error('The body has no file.');
  return file;
}

/** A limit that only tests of limits reach. */
export const PATIENT_MS = 60_000;
/** The body is sent at once, without `100 Continue`. */
const LIMITS = { stallMs: PATIENT_MS, connectMs: PATIENT_MS, headMs: PATIENT_MS, continueMs: 1 };

/** How an exchange of a test differs from a plain one. */
export interface Setting extends Partial<Omit<RequestSpec, 'url'>> {
  readonly limits?: Partial<ExchangeLimits>;
  readonly signal?: AbortSignal;
  readonly tls?: TlsMaterial;
  readonly proxy?: Proxy;
  readonly onSent?: (bytes: number) => void;
  readonly onState?: (state: State) => void;
}

/** Sends one request to `url`, and returns the record of the exchange. */
export async function exchangeWith(url: URL, setting: Setting = {}): Promise<Attempt> {
  const { limits, signal = new AbortController().signal, tls = {}, proxy, ...given } = setting;
  const { onSent = () => {}, onState = () => {}, ...more } = given;
  const body = more.body ?? (await makeBody());
  const agent = createAgent(url, tls, proxy);
  const spec = { url, agent, headers: {}, expectContinue: false, ...more, body };
  return exchange({ spec, limits: { ...LIMITS, ...limits }, signal, onSent, onState });
}

export type Done = (error?: Error | null) => void;
/** Takes a piece in place of a connection; `isLast` says whether it ends the body. */
export type Take = (connection: Duplex, piece: Buffer, done: Done, isLast: boolean) => void;

/** A connection whose pieces the test takes; what it receives, the test pushes. */
export function makeConnection(take: Take, options: DuplexOptions = {}): Duplex {
  return new Duplex({
    read: () => {},
    write(piece: Buffer, _, done) {
      take(this, piece, done, piece.toString('latin1').endsWith('--\r\n'));
    },
    ...options,
  });
}

/** Makes an exchange over such a connection. */
export async function exchangeOver(
  connection: Duplex,
  { scheme = 'http', ...setting }: Setting & { readonly scheme?: string } = {},
): Promise<Attempt> {
  const agent = scheme === 'http' ? new Agent() : new HttpsAgent();
  agent.createConnection = () => {
    // node:https waits for this event.
    setImmediate(() => connection.emit('secureConnect'));
    return connection;
  };
  return exchangeWith(new URL(`${scheme}://scan.example/`), { agent, ...setting });
}

/** The response of an exchange; throws if there is none. */
export function expectResponse({ response, state, failure }: Attempt): ServiceResponse {
  if (response !== undefined) return response;
  throw new Error(`No response, but a failure (${state}): ${JSON.stringify(failure)}`);
}

/** The failure of an exchange without a response; throws if there is a response. */
export function expectFailure({ failure, response }: Attempt): AttemptFailure {
  if (failure !== undefined && response === undefined) return failure;
  throw new Error(`No failure, but a response: ${response?.status}`);
}
