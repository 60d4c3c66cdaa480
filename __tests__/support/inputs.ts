import { afterEach, beforeEach, expect } from '@jest/globals';
import { InputError } from '../../src/errors.ts';
import { Problems } from '../../src/inputs/fields.ts';
import type { Reading } from '../../src/inputs/fields.ts';
import { makeCertificate } from './certificates.ts';
import type { Certificate } from './certificates.ts';
import { setEnvironment } from './environment.ts';

/** The secret of the tests: no message may contain it. */
export const SECRET = 'canary-7f3d9a51';

export type Texts = Readonly<Record<string, string>>;

/** Gives each test an environment without inputs, an event, proxies, TLS settings and OIDC tokens, and restores it. */
export function isolateEnvironment(): void {
  const original = { ...process.env };
  beforeEach(() => {
    for (const name of Object.keys(process.env)) {
      if (/^INPUT_|_proxy$|^NODE_TLS_|^GITHUB_(?:ACTOR|EVENT|REF)|^ACTIONS_ID_/i.test(name))
        delete process.env[name];
    }
  });
  afterEach(() => {
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, original);
  });
}

/** Sets inputs as the runner does, until the test has ended: names in upper case, with their hyphens. */
export function setInputs(inputs: Texts): void {
  const entries = Object.entries(inputs);
  setEnvironment(
    Object.fromEntries(entries.map(([name, text]) => [`INPUT_${name.toUpperCase()}`, text])),
  );
}

/**
 * The problems of the InputError that `action` throws. Fails if it throws none, or one that gives a
 * secret away.
 */
export function catchProblems(action: () => unknown): readonly string[] {
  try {
    action();
  } catch (error) {
    return checkProblems(error);
  }
  throw new Error('Nothing was refused.');
}

/** The same for a promise that rejects. */
export async function catchLaterProblems(promise: Promise<unknown>): Promise<readonly string[]> {
  return promise.then(() => {
    throw new Error('Nothing was refused.');
  }, checkProblems);
}

function checkProblems(error: unknown): readonly string[] {
  if (!(error instanceof InputError)) throw error;
  expect(error.message).not.toContain(SECRET);
  expect(error.problems.join(' ')).toBe(error.message);
  return error.problems;
}

/** What `read` returns; throws an InputError with the problems that it added. */
export async function collect<T>(
  read: (reading: Reading) => T | Promise<T>,
  given: Partial<Reading> = {},
): Promise<T> {
  const problems = new Problems();
  const value = await read({ problems, workspace: import.meta.dirname, dryRun: false, ...given });
  problems.throwAny();
  return value;
}

/** A certificate and its private key, as input values. */
export type Pair = Pick<Certificate, 'cert' | 'key'>;

/** Makes a pair; `rsaBits` as for `makeCertificate`. */
export async function makePair(name: string, rsaBits?: number): Promise<Pair> {
  const { cert, key } = await makeCertificate(name, rsaBits);
  return { cert, key };
}
