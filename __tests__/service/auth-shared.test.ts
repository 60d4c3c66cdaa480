import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { shareBriefly } from '../../src/service/auth.ts';
import type { FetchIdToken } from '../../src/service/auth.ts';

const AUDIENCE = 'https://scan.example';
const QUIET = new AbortController().signal;
/** How long a token is shared, in milliseconds. */
const SHARED_MS = 500;

/** Returns tokens numbered in the order in which they are fetched, each after `ms` milliseconds. */
function makeFetch(ms: number): jest.MockedFunction<FetchIdToken> {
  let count = 0;
  return jest.fn<FetchIdToken>(async () => {
    count += 1;
    const token = `token ${count}`;
    await new Promise((resolve) => setTimeout(resolve, ms));
    return token;
  });
}

describe('shareBriefly', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('fetches once for parallel calls', async () => {
    const fetch = makeFetch(100);
    const share = shareBriefly(fetch);
    const tokens = Promise.all([
      share(AUDIENCE, QUIET),
      share(AUDIENCE, QUIET),
      share(AUDIENCE, QUIET),
    ]);
    await jest.advanceTimersByTimeAsync(50);
    const late = share(AUDIENCE, QUIET);
    await jest.advanceTimersByTimeAsync(50);
    expect([...(await tokens), await late]).toEqual(Array.from({ length: 4 }, () => 'token 1'));
    expect(fetch.mock.calls).toEqual([[AUDIENCE, QUIET]]);
  });

  test.each([
    [SHARED_MS, 'token 1'],
    [SHARED_MS + 1, 'token 2'],
    [60_000, 'token 2'],
  ])('returns after %i ms: %s', async (ms, expected) => {
    const share = shareBriefly(makeFetch(0));
    const first = share(AUDIENCE, QUIET);
    await jest.advanceTimersByTimeAsync(ms);
    const second = share(AUDIENCE, QUIET);
    await jest.advanceTimersByTimeAsync(0);
    expect([await first, await second]).toEqual(['token 1', expected]);
  });

  test('measures the time since the last fetch, not since the last call', async () => {
    const fetch = makeFetch(0);
    const share = shareBriefly(fetch);
    for (let turn = 0; turn < 5; turn += 1) {
      const token = share(AUDIENCE, QUIET);
      await jest.advanceTimersByTimeAsync(SHARED_MS - 100);
      await token;
    }
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  test('starts a new fetch if one hangs longer than a token is shared', async () => {
    const fetch = jest.fn<FetchIdToken>();
    fetch.mockReturnValueOnce(new Promise(() => {})).mockResolvedValueOnce('token');
    const share = shareBriefly(fetch);
    void share(AUDIENCE, QUIET);
    await jest.advanceTimersByTimeAsync(SHARED_MS + 1);
    expect(await share(AUDIENCE, QUIET)).toBe('token');
  });

  test('shares a failure with the calls of the same fetch, and then tries again', async () => {
    const fetch = jest.fn<FetchIdToken>();
    fetch.mockRejectedValueOnce(new Error('busy')).mockResolvedValueOnce('token');
    const share = shareBriefly(fetch);
    const ends = await Promise.allSettled([share(AUDIENCE, QUIET), share(AUDIENCE, QUIET)]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await jest.advanceTimersByTimeAsync(SHARED_MS + 1);
    expect(await share(AUDIENCE, QUIET)).toBe('token');
    expect(fetch).toHaveBeenCalledTimes(2);
  });
});
