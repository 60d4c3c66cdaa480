import { join } from 'node:path';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { InputError } from '../../src/errors.ts';
import { Faults } from '../../src/inputs/fields.ts';
import type { Reading } from '../../src/inputs/fields.ts';
import { makeFolder, setEnvironment } from './workspace.ts';

/** The secret of the tests: no message may contain it. */
export const SECRET = 'canary-7f3d9a51';

export type Texts = Readonly<Record<string, string>>;

/** Gives each test an environment without inputs, an event, proxies, TLS settings and OIDC tokens, and restores it. */
export function isolateEnvironment(): void {
  const original = { ...process.env };
  beforeEach(() => {
    for (const name of Object.keys(process.env)) {
      if (/^INPUT_|_proxy$|^NODE_TLS_|^GITHUB_(?:ACTION|ACTOR|EVENT|REF)|^ACTIONS_ID_/i.test(name))
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

/** Sets the payload of the event that started the run, until the test has ended. */
export async function setEvent(payload: string): Promise<void> {
  const path = join(await makeFolder({ 'event.json': payload }), 'event.json');
  setEnvironment({ GITHUB_EVENT_PATH: path });
}

/**
 * The faults and then the fixes of the InputError that `action` throws, or its promise rejects with. Fails if there is
 * none, or it gives a secret away.
 */
export async function catchTexts(action: () => unknown): Promise<readonly string[]> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message).not.toContain(SECRET);
    return [...error.faults, ...error.fixes];
  }
  throw new Error('Nothing was refused.');
}

/** What `read` returns; throws an InputError with the faults that it added. */
export async function collect<T>(
  read: (reading: Reading) => T | Promise<T>,
  given: Partial<Reading> = {},
): Promise<T> {
  const faults = new Faults();
  const value = await read({ faults, workspace: import.meta.dirname, dryRun: false, ...given });
  faults.throwAny();
  return value;
}
