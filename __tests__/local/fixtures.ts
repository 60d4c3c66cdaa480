import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach } from '@jest/globals';
import { startService } from '../../local/service/index.ts';
import type { LocalService, ServiceOptions } from '../../local/service/index.ts';

export const SCAN_KEY = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) {
    await cleanup();
  }
});

/** A fresh folder, removed after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'local-test-')));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A service with its folder, closed after the test. */
export async function openService(
  options: Partial<ServiceOptions> = {},
): Promise<LocalService & { readonly folder: string }> {
  const folder = options.folder ?? (await makeFolder());
  const service = await startService({ ...options, folder });
  cleanups.push(() => service.close());
  return { ...service, folder };
}

/** Runs something after the test. */
export function cleanUp(action: () => Promise<void>): void {
  cleanups.push(action);
}

/** Waits for something the service does by itself. */
export async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await turn();
  }
}

/** Every file below a folder, as relative paths with `/`. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();
}

export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
