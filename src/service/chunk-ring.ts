import { readClock } from '../clock.ts';

/** Hands bytes to the connection; resolves when they have left and the buffer may be reused. */
export type WriteChunk = (chunk: Buffer) => Promise<void>;

/** Buffers in flight: one being read, one being written, one waiting. */
const RING_SIZE = 3;
/** Half of what fits into a core's own cache, where it is read, digested and encrypted. */
const MAX_CHUNK_BYTES = 512 * 1024;
const MIN_CHUNK_BYTES = 16 * 1024;
const FIRST_CHUNK_BYTES = 64 * 1024;
/**
 * What the systems' buffers on both sides may take at once, twice Linux's defaults (tcp_wmem 4 MiB,
 * tcp_rmem 6 MiB): until so much has left, speed says nothing of the link.
 */
const BUFFERED_BYTES = 20 * 1024 * 1024;
/** A chunk that leaves faster is followed by one twice as large. */
const FAST_CHUNK_MS = 200;
/** A chunk that takes longer is followed by one half as large, so that a slow link shows progress. */
const SLOW_CHUNK_MS = 2000;

interface Slot {
  /** Made when it is first needed: a small file needs one. */
  buffer: Buffer | undefined;
  /** Settles when what was last read into the buffer has left and has been used. */
  left: Promise<unknown>;
}

/**
 * A few buffers that are filled and written in turn, so that memory is flat for a file of any size.
 * The size of a chunk follows the speed of the link.
 */
export class ChunkRing {
  readonly #write: WriteChunk;
  readonly #bufferBytes: number;
  readonly #slots: readonly Slot[];
  readonly #passed: Promise<unknown>[] = [];
  #turn = 0;
  #chunkBytes = FIRST_CHUNK_BYTES;
  #left = 0;

  /** `largestFile` in bytes: buffers are no larger than they need to be. */
  constructor(write: WriteChunk, largestFile: number) {
    this.#write = write;
    this.#bufferBytes = Math.min(MAX_CHUNK_BYTES, largestFile);
    this.#slots = Array.from({ length: RING_SIZE }, () => ({
      buffer: undefined,
      left: Promise.resolve(),
    }));
  }

  /** Writes a buffer that nobody changes afterwards. */
  pass(chunk: Buffer): void {
    this.#passed.push(markHandled(this.#write(chunk)));
  }

  /**
   * Waits for a free buffer, has `fill` read at most `wanted` bytes into it, and writes what was
   * read; `use` may look at it meanwhile. Returns the number of bytes, 0 at the file's end; rejects
   * if an earlier write or use failed.
   */
  async relay(
    wanted: number,
    fill: (buffer: Buffer) => Promise<Buffer>,
    use: (chunk: Buffer) => Promise<void> = async () => {},
  ): Promise<number> {
    const slot = this.#slots[this.#turn % RING_SIZE];
    if (slot === undefined) return 0;
    this.#turn += 1;
    await slot.left;
    // Shared, so that a thread can read it as well.
    slot.buffer ??= Buffer.from(new SharedArrayBuffer(this.#bufferBytes));
    const chunk = await fill(slot.buffer.subarray(0, Math.min(wanted, this.#chunkBytes)));
    if (chunk.length > 0) {
      slot.left = markHandled(Promise.all([use(chunk), this.#writeTimed(chunk)]));
    }
    return chunk.length;
  }

  /** Resolves when everything has left. */
  async drain(): Promise<void> {
    await Promise.all([...this.#passed, ...this.#slots.map((slot) => slot.left)]);
  }

  async #writeTimed(chunk: Buffer): Promise<void> {
    const start = readClock();
    await this.#write(chunk);
    const elapsed = readClock() - start;
    this.#left += chunk.length;
    const isFast = elapsed < FAST_CHUNK_MS && this.#left >= BUFFERED_BYTES;
    if (isFast) this.#chunkBytes = Math.min(this.#chunkBytes * 2, MAX_CHUNK_BYTES);
    if (elapsed > SLOW_CHUNK_MS) this.#chunkBytes = Math.max(this.#chunkBytes / 2, MIN_CHUNK_BYTES);
  }
}

/** A failed write is noticed when its buffer is wanted again; until then it is not unhandled. */
function markHandled(promise: Promise<unknown>): Promise<unknown> {
  promise.catch(() => {});
  return promise;
}
