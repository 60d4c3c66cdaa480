import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { SCAN_KEY } from '../support/samples.ts';

export const BOUNDARY = 'test-boundary-7MA4YWxkTrZu0gW';
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

export interface Part {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly filename?: string;
}

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly continued: boolean;
}

interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** A multipart body with its closing boundary, written without a library. */
export function buildForm(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, content, filename }) => {
    const disposition = `Content-Disposition: form-data; name="${name}"`;
    const head =
      filename === undefined
        ? disposition
        : `${disposition}; filename="${filename}"\r\nContent-Type: application/octet-stream`;
    return [`--${BOUNDARY}\r\n${head}\r\n\r\n`, content, '\r\n'];
  });
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece)));
}

export const SINGLE = '/v1/scanner/upload-file';
export const KEY: Part = { name: 'ScanKey', content: SCAN_KEY };
export const SCAN: Part = { name: 'ScanJsonFile', content: '{"ok":true}', filename: 'scan.json' };
/** A form that the service accepts. */
export const WHOLE = buildForm([KEY, SCAN]);

/** A request for one file as bytes. */
export function frame(body: Uint8Array, headers = 'Connection: close\r\n'): Buffer {
  const head = `POST ${SINGLE} HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM_TYPE}\r\n${headers}`;
  return Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]);
}

/** Sends one request. With an `Expect` header, sends the body only after 100 Continue. */
export async function send(url: string, call: Call = {}): Promise<Received> {
  const { method = 'POST', headers = {}, body = Buffer.alloc(0) } = call;
  const client = request(url, {
    method,
    agent: false,
    headers: { 'Content-Type': FORM_TYPE, 'Content-Length': body.length, ...headers },
  });
  let continued = false;
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    client.once('response', resolve);
    client.on('error', reject);
  });
  client.on('continue', () => {
    continued = true;
    client.end(body);
  });
  if ('Expect' in headers) client.flushHeaders();
  else client.end(body);
  const response = await responded;
  const received = await text(response);
  client.destroy();
  const { statusCode: status = 0 } = response;
  return { status, headers: response.headers, body: received, continued };
}

/** Writes raw bytes, ends the connection if `end`, and returns all that arrives until it closes. */
export async function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  end = false,
): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => void (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(bytes);
  if (end) socket.end();
  await once(socket, 'close');
  return received;
}
