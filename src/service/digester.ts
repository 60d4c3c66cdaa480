import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { FileError, errorMessage } from '../errors.ts';

/** Takes the SHA-256 of bytes that are handed in one after the other. */
export interface Digester {
  /** Resolves when the bytes have been taken and may be overwritten. */
  update(bytes: Buffer): Promise<void>;
  /** The digest of all bytes, hexadecimal. */
  finish(): Promise<string>;
  /** Lets go of what it holds, finished or not. */
  close(): Promise<void>;
}

/**
 * Larger files are digested by a thread of its own, which takes 20 ms to start: SHA-256 takes 0.6 ms
 * for a MiB, longer than sending it over a fast line does.
 */
export const MAX_INLINE_BYTES = 32 * 1024 * 1024;
/** With so many cores or fewer none is left for a thread while another one encrypts. */
const FEW_CORES = 2;

/** A digester for a file of `size` bytes that are encrypted meanwhile, or not. */
export async function createDigester(
  size: number,
  isEncrypted = false,
  cores?: number,
): Promise<Digester> {
  if (size <= MAX_INLINE_BYTES) return new InlineDigester();
  const isCrowded = isEncrypted && (cores ?? availableParallelism()) <= FEW_CORES;
  if (isCrowded) return new InlineDigester();
  const { Worker: Thread } = await import('node:worker_threads');
  try {
    return new ThreadDigester(new Thread(PROGRAM, { ...SMALL, eval: true }));
  } catch {
    // No process is owed another thread, as under a limit of them; it would only have been faster.
    return new InlineDigester();
  }
}

/** Takes bytes one turn of the event loop later, when the next are being read already. */
class InlineDigester implements Digester {
  readonly #hash = createHash('sha256');

  async update(bytes: Buffer): Promise<void> {
    await nextTurn();
    this.#hash.update(bytes);
  }

  async finish(): Promise<string> {
    await nextTurn();
    return this.#hash.digest('hex');
  }

  async close(): Promise<void> {
    // It holds nothing.
  }
}

/** What the thread runs: an answer to each message in turn; the one that is no bytes is the last. */
const PROGRAM = `
const { parentPort } = require('node:worker_threads');
const hash = require('node:crypto').createHash('sha256');
parentPort.on('message', (bytes) => {
  if (bytes === null) return parentPort.postMessage(hash.digest('hex'));
  hash.update(bytes);
  parentPort.postMessage('');
});
`;

/** It has no business with the environment, and needs next to no memory. */
const SMALL = {
  env: {},
  execArgv: [],
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
};

interface Waiting {
  readonly resolve: (reply: string) => void;
  readonly reject: (error: Error) => void;
}

class ThreadDigester implements Digester {
  readonly #thread: Worker;
  readonly #waiting: Waiting[] = [];
  #failure: FileError | undefined;

  constructor(thread: Worker) {
    this.#thread = thread;
    thread.on('message', (reply: string) => this.#waiting.shift()?.resolve(reply));
    thread.on('error', (error: Error) => this.#fail(error));
    thread.on('exit', () => this.#fail(new Error('the thread that takes the digest has ended')));
  }

  async update(bytes: Buffer): Promise<void> {
    await this.#ask(bytes);
  }

  async finish(): Promise<string> {
    return this.#ask(null);
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  /** Bytes of shared memory are not copied. */
  async #ask(message: Buffer | null): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#waiting.push({ resolve, reject });
      this.#thread.postMessage(message);
    });
  }

  #fail(error: Error): void {
    this.#failure ??= new FileError(`The digest could not be taken: ${errorMessage(error)}.`);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

async function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
