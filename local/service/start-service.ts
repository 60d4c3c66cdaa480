import type { IncomingMessage, ServerResponse } from 'node:http';
import { Exchange } from './exchange.ts';
import { listen, type Listener } from './listener.ts';
import { serveExchange, type ServiceState } from './serve-exchange.ts';
import { settle, type Settings } from './settings.ts';
import { createStore } from './store.ts';
import type { LocalService, ServiceOptions } from './types.ts';

/**
 * Starts the Scan Upload Service on a loopback address. Throws a RangeError or TypeError for an
 * unusable option, and what creating the folder or listening throws.
 */
export async function startService(options: ServiceOptions): Promise<LocalService> {
  const settings = settle(options);
  const state: ServiceState = {
    settings,
    store: await createStore(settings.folder),
    script: [...(options.answers ?? [])],
    requests: [],
    uploads: [],
  };
  const running = new Set<Promise<void>>();
  const listener = await openListener(state, options, running);
  return {
    url: formatUrl(settings, options.tls !== undefined, listener.port),
    port: listener.port,
    requests: state.requests,
    uploads: state.uploads,
    script: (...answers) => void state.script.push(...answers),
    settled: () => settleAll(running),
    close: async () => {
      await listener.close();
      await settleAll(running);
    },
  };
}

function openListener(
  state: ServiceState,
  options: ServiceOptions,
  running: Set<Promise<void>>,
): Promise<Listener> {
  function serve(request: IncomingMessage, response: ServerResponse, expects: boolean): void {
    const exchange = new Exchange(request, response, expects);
    const served: Promise<void> = serveExchange(state, exchange)
      // Nobody may be left to be told; whoever is must not wait for an answer that will not come.
      .catch(() => void request.socket.destroy())
      .finally(() => {
        running.delete(served);
        options.onRequest?.(exchange.record);
      });
    running.add(served);
  }
  return listen(state.settings, options.tls, {
    onRequest: (request, response) => serve(request, response, false),
    onExpect: (request, response) => serve(request, response, true),
  });
}

async function settleAll(running: ReadonlySet<Promise<void>>): Promise<void> {
  while (running.size > 0) {
    await Promise.allSettled(running);
  }
}

function formatUrl(settings: Settings, isSecure: boolean, port: number): string {
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  return `${isSecure ? 'https' : 'http'}://${host}:${port}${settings.prefix}`;
}
