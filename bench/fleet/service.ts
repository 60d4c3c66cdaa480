/** Uploads that are served in parallel, and that may wait for it, first come, first served. */
const [SLOTS, QUEUE] = [100, 200];
const SERVICE_MS = 500;

/** Uploads that the service can take in a second. */
export const CAPACITY = (SLOTS * 1000) / SERVICE_MS;

/**
 * A model of the service: it serves some uploads in parallel, queues some, and refuses the rest at once
 * and without cost. Requests must arrive in the order of time.
 */
export class ServiceModel {
  // Every upload takes equally long, so they end in the order they came.
  readonly #endsMs: number[] = [];
  #ended = 0;

  /** When the upload that arrives at `nowMs` will have been served; undefined if it is refused. */
  admit(nowMs: number): number | undefined {
    while ((this.#endsMs[this.#ended] ?? Number.POSITIVE_INFINITY) <= nowMs) this.#ended += 1;
    if (this.#endsMs.length - this.#ended >= SLOTS + QUEUE) return undefined;
    // The n-th upload has the slot of the one `SLOTS` before it.
    const slotFreeMs = this.#endsMs.at(-SLOTS) ?? nowMs;
    const endMs = Math.max(nowMs, slotFreeMs) + SERVICE_MS;
    this.#endsMs.push(endMs);
    return endMs;
  }
}
