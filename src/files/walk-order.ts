/** Something a walk came upon. */
export interface Ordered<T> {
  /** Its number in each folder on the way down. */
  readonly order: readonly number[];
  readonly value: T;
}

/** Puts into the order of a walk what was found in whatever order folders were read. */
export function sortByOrder<T>(items: readonly Ordered<T>[]): readonly T[] {
  return items
    .toSorted((one, other) => compareOrders(one.order, other.order))
    .map(({ value }) => value);
}

function compareOrders(one: readonly number[], other: readonly number[]): number {
  for (const [level, index] of one.entries()) {
    const difference = index - (other[level] ?? -1);
    if (difference !== 0) return difference;
  }
  return -1;
}
