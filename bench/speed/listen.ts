import type { Server } from 'node:net';
import type { ServiceMessage } from './service.ts';
import type { Counter } from './tally.ts';

/**
 * Listens on a free port of loopback and tells the process that started this one the port, then
 * what came whenever it asks, so that no request waits for a message. Ends with that process.
 */
export function listen(server: Server, counter: Counter): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object' && address !== null) tell({ port: address.port });
  });
  process.on('message', () => tell({ tally: counter.take() }));
  process.once('disconnect', () => process.exit());
}

function tell(message: ServiceMessage): void {
  process.send?.(message);
}
