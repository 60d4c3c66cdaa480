import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { SCAN_KEY } from '../support/samples.ts';

const BOUNDARY = 'test-boundary-7MA4YWxkTrZu0gW';
const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

export interface Part {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly filename?: string;
}

/** A multipart body with its closing boundary, written without a library. */
export function buildForm(...parts: readonly Part[]): Buffer {
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
export const WHOLE = buildForm(KEY, SCAN);

/** A request for one file as bytes; these headers replace its own of the same names. */
export function frame(body: Uint8Array, headers: Readonly<Record<string, string>> = {}): Buffer {
  const own = { Host: 'x', 'Content-Type': FORM_TYPE, Connection: 'close' };
  const all = { ...own, 'Content-Length': String(body.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${SINGLE} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a form. Not with fetch, which cannot connect under Wine 8. */
export async function send(
  url: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
): Promise<Received> {
  const own = { 'Content-Type': FORM_TYPE, 'Content-Length': body.length };
  const client = request(url, { method, agent: false, headers: { ...own, ...headers } });
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    client.once('response', resolve).once('error', reject);
  });
  client.end(body);
  const response = await responded;
  const { statusCode: status = 0 } = response;
  return { status, headers: response.headers, body: await text(response) };
}

/** Writes raw bytes, and returns all that arrives until the connection closes. */
export async function sendRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => void (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}
