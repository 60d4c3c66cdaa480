/**
 * Works through items in order, so many at a time; resolves with what came of each, in their order.
 * Rejects as soon as one of them does.
 */
export async function mapInLanes<T, R>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const runLane = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, runLane));
  return results;
}
