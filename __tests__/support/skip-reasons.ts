// Without @jest/globals, which a reporter cannot import.

/** The title of tests that are skipped for a reason. */
export function addReason(title: string, reason: string): string {
  return `${title} [skipped: ${reason}]`;
}

/** One line about skipped tests, by their full names; undefined without a reason in any of them. */
export function describeSkipped(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) {
    const reason = /\[skipped: ([^\]]+)\]/.exec(name)?.[1];
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const [first, ...others] = [...counts].toSorted(([, one], [, other]) => other - one);
  if (first === undefined) return undefined;
  const [reason, count] = first;
  const start = `${count} ${count === 1 ? 'test' : 'tests'} skipped: ${reason}`;
  return [start, ...others.map(([cause, number]) => `${number}: ${cause}`)].join('; ');
}
