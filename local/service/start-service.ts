import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { resolve } from 'node:path';
import { openExchange, type Exchange } from './exchange.ts';
import { serve, type ServiceState } from './serve.ts';
import { numberUploads } from './store.ts';
import type { LocalService, ServiceOptions } from './types.ts';

// Kestrel's limits, except that an upload may take any time.
const MAX_BODY_BYTES = 30_000_000;
const SERVER_OPTIONS = { keepAliveTimeout: 130_000, maxHeaderSize: 32 * 1024, requestTimeout: 0 };

/** Starts the Scan Upload Service on 127.0.0.1. Throws what making the directory or listening throws. */
export async function startService(options: ServiceOptions): Promise<LocalService> {
  const { port = 0, prefix = '', tls, maxBodyBytes = MAX_BODY_BYTES } = options;
  const directory = resolve(options.directory);
  const nameUpload = await numberUploads(directory);
  const scripts = [...(options.responses ?? [])];
  const settings = { ...options, directory, maxBodyBytes };
  const state: ServiceState = { settings, nameUpload, scripts, requests: [], uploads: [] };
  const running = new Set<Promise<void>>();
  const start = (exchange: Exchange): void => {
    const served = serve(state, exchange).finally(() => running.delete(served));
    running.add(served);
  };
  const server = createServerFor(tls);
  server.on('request', (request, response) => start(openExchange(request, response, false)));
  server.on('checkContinue', (request, response) => start(openExchange(request, response, true)));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${bound}${prefix}`,
    port: bound,
    requests: state.requests,
    uploads: state.uploads,
    close: async () => {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
      await Promise.all(running);
    },
  };
}

function createServerFor(tls: ServiceOptions['tls']): Server {
  if (tls === undefined) return createServer(SERVER_OPTIONS);
  return createHttpsServer({ ...SERVER_OPTIONS, ...tls });
}
