import { createServer } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { judge } from '../../src/outcomes/judge.ts';
import { getRow } from '../../src/outcomes/situations.ts';
import { makeAttempt } from '../support/attempts.ts';
import { RETRIES } from '../support/tasks.ts';
import { listen } from '../support/raw-server.ts';
import { countAttempts, makeWorkspace, preload, runAction } from '../support/run-action.ts';
import { readText } from '../support/workflows.ts';

/** The rows of the table of docs/retries.md: causes, and the most retries by default. */
const ROWS = readText('docs', 'retries.md')
  .split('\n')
  .filter((line) => /^\|.*\d/.test(line))
  .map((line) => {
    const [, causes = '', most = ''] = line.split('|');
    return { causes, most: Number(/\d+/.exec(most)) };
  });

/** The statuses in a text such as `408, 520 to 523`. */
function listStatuses(text: string): readonly number[] {
  return Array.from(text.matchAll(/\b(\d{3})(?: to (\d{3}))?\b/g), ([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index),
  ).flat();
}

describe('docs/retries.md says how often an upload is repeated', () => {
  test('after each status, and after no other', () => {
    const retried = Array.from({ length: 300 }, (_, index) => 300 + index).flatMap((status) => {
      const attempt = makeAttempt({ response: { status } });
      const situation = judge(attempt, false);
      const retries = situation === undefined ? 0 : getRow(situation).retries;
      return retries === 0 ? [] : [[status, Math.min(retries, RETRIES)]];
    });
    const documented = ROWS.flatMap(({ causes, most }) =>
      listStatuses(causes).map((status) => [status, most]),
    );
    expect(retried).toEqual(documented.toSorted(([one = 0], [other = 0]) => one - other));
  });

  test.each([
    ['unknown host name', 'name-unknown'],
    ['no connection', 'connect-failed'],
    ['proxy that cannot reach', 'proxy-failed'],
    ['a gateway', 'gateway-timeout'],
    ['a broken connection', 'connection-broken'],
    ['a stall', 'stalled'],
    ['no OIDC token', 'oidc-failed'],
  ] as const)('after %s', (cause, situation) => {
    const most = ROWS.find(({ causes }) => causes.includes(cause))?.most;
    expect(Math.min(getRow(situation).retries, RETRIES)).toBe(most);
  });
});

/** The waits before retries are as short as possible, 5 s, and pass at once on the clocks of the step. */
const SKIP_WAITS = preload(`
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

test.each([
  [[504, 503, 503, 200], {}, 4],
  [[503, 503, 504, 200], {}, 3],
  [[503, 504, 502], { retries: '2' }, 3],
])(
  'a step whose service responds with %j (%j) makes %i attempts',
  async (statuses, given, most) => {
    let requests = 0;
    const server = createServer((request, response) => {
      const status = statuses[requests] ?? 400;
      requests += 1;
      request.resume().once('end', () => response.writeHead(status).end());
    });
    const inputs = { 'base-url': `http://127.0.0.1:${await listen(server)}`, ...given };
    const run = await runAction(await makeWorkspace(), inputs, { env: SKIP_WAITS });
    expect([requests, countAttempts(run)]).toEqual([most, most]);
    expect(run.outputs.uploaded).toBe(String(statuses[most - 1] === 200));
  },
);
