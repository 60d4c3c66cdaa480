import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** A service over https that only counts bytes. */
export interface Service {
  /** Temporary; for its certificate and the files of all lines. */
  readonly directory: string;
  readonly url: string;
  /** Path of the CA certificate to trust. */
  readonly ca: string;
  /** The sizes of the complete bodies that arrived since the last call. */
  readonly takeSizes: () => readonly number[];
}

/** Starts a service that ends with this process, which does nothing else while a program runs. */
export async function startService(directory: string): Promise<Service> {
  const [ca, keyPair] = [join(directory, 'ca.pem'), await makeKeyPair()];
  writeFileSync(ca, keyPair.cert);
  const sizes: number[] = [];
  // It responds to `Expect: 100-continue` at once by itself, and keeps connections open.
  const server = createServer(keyPair, (request, response) => {
    let size = 0;
    request.on('data', (piece: Buffer) => (size += piece.length));
    request.once('end', () => {
      const isWhole = size === Number(request.headers['content-length']);
      if (isWhole) sizes.push(size);
      response.writeHead(isWhole ? 200 : 400, { 'Content-Length': 0 }).end();
    });
  });
  await once(server.unref().listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `https://127.0.0.1:${port}`;
  return { directory, url, ca, takeSizes: () => sizes.splice(0) };
}

/** A certificate for loopback that is its own CA, and its key. */
async function makeKeyPair(): Promise<{ readonly key: string; readonly cert: string }> {
  const altNames = [{ type: 7, ip: '127.0.0.1' } as const];
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  return { key, cert };
}
