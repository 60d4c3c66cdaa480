import { setImmediate as turn } from 'node:timers/promises';
import { startService } from '../../local/service/index.ts';
import type { LocalService, ServiceOptions } from '../../local/service/index.ts';
import { makeFolder } from './directories.ts';
import { cleanUp } from './scope.ts';

/** The local service with its directory, closed after the test. */
export async function openService(
  options: Partial<ServiceOptions> = {},
): Promise<LocalService & { readonly directory: string }> {
  const directory = options.directory ?? (await makeFolder());
  const service = await startService({ ...options, directory });
  cleanUp(() => service.close());
  return { ...service, directory };
}

/** Waits until a condition that the service fulfils on its own is true. */
export async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}
