import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';

export const BOUNDARY = 'test-boundary-7MA4YWxkTrZu0gW';
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

export interface Part {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly filename?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly continued: boolean;
}

export interface Call {
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
  if ('Expect' in headers) {
    client.flushHeaders();
  } else {
    client.end(body);
  }
  const response = await responded;
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
  }
  client.destroy();
  return { status: response.statusCode ?? 0, headers: response.headers, body: text, continued };
}

/** Writes raw bytes, ends the connection if `end`, and returns all that arrives until it closes. */
export async function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  end: boolean,
): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  if (end) {
    socket.end();
  }
  await once(socket, 'close');
  return text;
}
