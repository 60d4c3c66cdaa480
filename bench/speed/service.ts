import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { KeyPair } from './key-pair.ts';
import type { Tally } from './tally.ts';

/** What a service tells: its port, then what came each time it is asked. */
export type ServiceMessage = { readonly port: number } | { readonly tally: Tally };

/** A running service. */
export interface Service {
  readonly url: string;
  /** What came since the last time; a request that was answered has been counted. */
  readonly takeTally: () => Promise<Tally>;
  readonly close: () => Promise<void>;
}

/** How a service is to be. */
export interface ServiceOptions {
  /** With https if there is one. */
  readonly keyPair?: KeyPair;
  /** What it waits before each answer; 0 by default. */
  readonly latencyMs?: number;
}

/** The service that all send to. */
export function startSink({ keyPair, latencyMs = 0 }: ServiceOptions = {}): Promise<Service> {
  const files = keyPair === undefined ? [] : [keyPair.key, keyPair.cert];
  const scheme = keyPair === undefined ? 'http' : 'https';
  return start('sink.ts', [String(latencyMs), ...files], scheme);
}

/** What takes in and does no more, to compare the sink with. */
export function startDiscard(): Promise<Service> {
  return start('discard.ts', [], 'http');
}

/** Starts a process of its own that ends with this one. */
async function start(name: string, args: readonly string[], scheme: string): Promise<Service> {
  const script = join(import.meta.dirname, name);
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const first = await receive(child);
  if (!('port' in first)) throw new Error('The service did not tell its port.');
  return {
    url: `${scheme}://127.0.0.1:${first.port}`,
    takeTally: async () => {
      child.send('take');
      const message = await receive(child);
      if (!('tally' in message)) throw new Error('The service did not tell what came.');
      return message.tally;
    },
    close: () => stop(child),
  };
}

function receive(child: ChildProcess): Promise<ServiceMessage> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error('The service has ended.'));
    child.once('exit', fail);
    child.once('message', (message: ServiceMessage) => {
      child.off('exit', fail);
      resolve(message);
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}
