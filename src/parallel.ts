/**
 * Calls `work` for each item, up to `limit` in parallel. Resolves with the results in the order of the
 * items; rejects as soon as one call does.
 */
export async function mapParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const workThrough = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, workThrough));
  return results;
}
