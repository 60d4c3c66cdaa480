import { setImmediate as turn } from 'node:timers/promises';
import { startService } from '../../local/service/index.ts';
import type { LocalService, ServiceOptions } from '../../local/service/index.ts';
import { makeFolder } from './directories.ts';
import { TEST_SCOPE } from './scope.ts';

/** The local service with its directory, closed with its scope. */
export async function openService(
  options: Partial<ServiceOptions> = {},
  scope = TEST_SCOPE,
): Promise<LocalService & { readonly directory: string }> {
  const directory = options.directory ?? (await makeFolder({}, scope));
  const service = await startService({ ...options, directory });
  scope.defer(() => service.close());
  return { ...service, directory };
}

/** Waits until a condition that the service fulfils on its own is true. */
export async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}
