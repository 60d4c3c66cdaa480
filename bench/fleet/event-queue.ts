/** Something that happens at a time of the virtual clock, in milliseconds. */
export interface TimedEvent<T> {
  readonly atMs: number;
  readonly value: T;
}

interface Entry<T> extends TimedEvent<T> {
  readonly order: number;
}

/** What is to happen, earliest first; events of the same time in the order they were added. */
export class EventQueue<T> {
  // A binary heap: the children of entry i are 2i + 1 and 2i + 2, and neither is earlier.
  readonly #heap: Entry<T>[] = [];
  #added = 0;

  /** Adds an event at `atMs`. */
  push(atMs: number, value: T): void {
    const entry = { atMs, value, order: this.#added };
    this.#added += 1;
    let index = this.#heap.length;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#heap[parentIndex];
      if (parent === undefined || isBefore(parent, entry)) break;
      this.#heap[index] = parent;
      index = parentIndex;
    }
    this.#heap[index] = entry;
  }

  /** Takes the earliest event; undefined when there is none. */
  pop(): TimedEvent<T> | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) this.#sink(last);
    return first;
  }

  /** Puts `entry` at the top and moves earlier children up until it stands where it belongs. */
  #sink(entry: Entry<T>): void {
    let index = 0;
    for (;;) {
      const childIndex = this.#findEarlierChild(index);
      const child = this.#heap[childIndex];
      if (child === undefined || isBefore(entry, child)) break;
      this.#heap[index] = child;
      index = childIndex;
    }
    this.#heap[index] = entry;
  }

  #findEarlierChild(index: number): number {
    const left = this.#heap[2 * index + 1];
    const right = this.#heap[2 * index + 2];
    const isRight = left !== undefined && right !== undefined && isBefore(right, left);
    return 2 * index + (isRight ? 2 : 1);
  }
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
