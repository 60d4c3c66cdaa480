/** The capacity and the service time of a service. */
export interface ServiceLimits {
  /** Uploads that are served in parallel. */
  readonly slots: number;
  /** Uploads that may wait for a slot, first come, first served. */
  readonly queue: number;
  /** How long an upload is in service, in milliseconds. */
  readonly serviceMs: number;
}

/** Uploads a second at the most. */
export function getCapacity({ slots, serviceMs }: ServiceLimits): number {
  return (slots * 1000) / serviceMs;
}

/**
 * A model of the service: it serves some uploads in parallel, queues some, and refuses the rest at once
 * and without cost. Requests must arrive in the order of time.
 */
export class ServiceModel {
  readonly #limits: ServiceLimits;
  // Every upload takes equally long, so they end in the order they came.
  readonly #endsMs: number[] = [];
  #ended = 0;

  constructor(limits: ServiceLimits) {
    this.#limits = limits;
  }

  /** When the upload that arrives at `nowMs` will have been served; undefined if it is refused. */
  admit(nowMs: number): number | undefined {
    const { slots, queue, serviceMs } = this.#limits;
    while ((this.#endsMs[this.#ended] ?? Number.POSITIVE_INFINITY) <= nowMs) this.#ended += 1;
    if (this.#endsMs.length - this.#ended >= slots + queue) return undefined;
    // The n-th upload has the slot of the one `slots` before it.
    const slotFreeMs = this.#endsMs.at(-slots) ?? nowMs;
    const endMs = Math.max(nowMs, slotFreeMs) + serviceMs;
    this.#endsMs.push(endMs);
    return endMs;
  }
}
