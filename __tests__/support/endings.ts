import { explainUpload } from '../../src/results/failure.ts';
import type { Failure } from '../../src/results/failure.ts';
import type { ConnectionError } from '../../src/service/attempt.ts';
import { findSituation } from '../../src/outcomes/judge.ts';
import { conclude } from '../../src/outcomes/situations.ts';
import type { UploadFacts } from '../../src/service/settings.ts';
import type { Upload } from '../../src/upload/upload.ts';
import { SETTINGS, makeAttempt, makeConnectionError, makeUpload } from './attempts.ts';
import type { AttemptSpec, ResponseSpec } from './attempts.ts';

/** How an upload ended that made this attempt as its last. */
export function end(
  spec: AttemptSpec,
  settings: Partial<UploadFacts> = {},
  more: Partial<Upload> = {},
): Upload {
  const last = makeAttempt(spec);
  const all = { ...SETTINGS, ...settings };
  const situation = findSituation(last, all);
  const result = situation === undefined ? 'accepted' : conclude(situation, last).result;
  return makeUpload(last, { situation, result, settings: all, ...more });
}

/** What is said of it. */
export function describeEnd(...args: Parameters<typeof end>): Failure {
  const failure = explainUpload(end(...args));
  if (failure === undefined) throw new Error('There is no failure.');
  return failure;
}

/** A response with a 400, unless the test says otherwise. */
export function refuse(response: ResponseSpec = {}): AttemptSpec {
  return { response: { status: 400, ...response } };
}

/** An attempt that failed while connecting, unless `more` says otherwise. */
export function connect(error: Partial<ConnectionError> = {}, more: AttemptSpec = {}): AttemptSpec {
  const failure = { kind: 'connection', error: makeConnectionError(error) } as const;
  return { failure, state: 'connecting', isSent: false, sentBytes: 0, ...more };
}

/** An attempt that ended because no data arrived for 20 s. */
export function stall(state: NonNullable<AttemptSpec['state']>, isSent = false): AttemptSpec {
  return { failure: { kind: 'limit', limitMs: 20_000 }, state, isSent };
}

export const PROXIED = { isProxied: true, proxyHost: 'proxy.example:3128' };
