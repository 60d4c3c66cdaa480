import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { KeyPair } from './key-pair.ts';

/** What a service tells: its port, then how much came with each request; -1 if not what was said. */
export type SinkMessage = { readonly port: number } | { readonly received: number };

/** A running service. */
export interface Service {
  readonly url: string;
  /** The bytes of the last request's body, once there was one since the last time; rejects if none comes. */
  readonly takeReceived: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Within this time after its client has ended a request has been told of. */
const ARRIVAL_MS = 5000;

/** The service that all send to, with https if there is a key pair. */
export function startSink(keyPair?: KeyPair): Promise<Service> {
  const files = keyPair === undefined ? [] : [keyPair.key, keyPair.cert];
  return start('sink.ts', files, keyPair === undefined ? 'http' : 'https');
}

/** What takes in and does no more, to compare the sink with. */
export function startDiscard(): Promise<Service> {
  return start('discard.ts', [], 'http');
}

/** Starts a process of its own that ends with this one. */
async function start(name: string, files: readonly string[], scheme: string): Promise<Service> {
  const args = [join(import.meta.dirname, name), ...files];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const received: number[] = [];
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The service has ended.')));
    child.on('message', (message: SinkMessage) => {
      if ('port' in message) resolve(message.port);
      else received.push(message.received);
    });
  });
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    takeReceived: async () => {
      if (received.length === 0) {
        await once(child, 'message', { signal: AbortSignal.timeout(ARRIVAL_MS) });
      }
      return received.splice(0).at(-1) ?? 0;
    },
    close: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}
