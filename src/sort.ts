/** A sorted copy of a list. Not `toSorted`: a Node that is too old (18) must still report that it is. */
export function sortBy<T>(list: Iterable<T>, compare: (one: T, other: T) => number): readonly T[] {
  const copy = [...list];
  copy.sort(compare);
  return copy;
}
