/** Environment variables with which a module is loaded into the action ahead of it. */
export function preload(code: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

/** The waits before retries are as short as possible, 5 s, and pass at once on the clocks of the step. */
export const SKIP_WAITS = preload(`
  const { setTimeout: set } = globalThis;
  let skippedMs = 0;
  for (const clock of [Date, performance]) {
    const now = clock.now.bind(clock);
    clock.now = () => now() + skippedMs;
  }
  Math.random = () => 0;
  globalThis.setTimeout = (run, ms, ...rest) => {
    if (!(ms > 4000 && ms <= 5000)) return set(run, ms, ...rest);
    return set(() => {
      skippedMs += ms;
      run(...rest);
    }, 0);
  };
`);
