import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { KeyPair } from './key-pair.ts';

/** What the sink tells: its port, then how much came with each request; -1 if not what was said. */
export type SinkMessage = { readonly port: number } | { readonly received: number };

/** A running sink. */
export interface Service {
  readonly url: string;
  /** The bytes of the last request's body, once there was one since the last time. */
  readonly takeReceived: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Starts a sink, with https if there is a key pair; a process of its own that ends with this one. */
export async function startService(keyPair?: KeyPair): Promise<Service> {
  const script = join(import.meta.dirname, 'sink.ts');
  const args = keyPair === undefined ? [script] : [script, keyPair.key, keyPair.cert];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const received: number[] = [];
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The sink has ended.')));
    child.on('message', (message: SinkMessage) => {
      if ('port' in message) resolve(message.port);
      else received.push(message.received);
    });
  });
  return {
    url: `${keyPair === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    takeReceived: async () => {
      if (received.length === 0) await once(child, 'message');
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
