import { once } from 'node:events';
import { connect } from 'node:net';
import { SCAN_KEY } from '../support/samples.ts';

const BOUNDARY = 'test-boundary-7MA4YWxkTrZu0gW';
const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

export interface Part {
  readonly name: string;
  readonly content: string;
  readonly filename?: string;
}

/** A multipart body with its closing boundary, written without a library. */
export function buildForm(...parts: readonly Part[]): Buffer<ArrayBuffer> {
  const pieces = parts.map(({ name, content, filename }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
  });
  return Buffer.from(`${pieces.join('')}--${BOUNDARY}--\r\n`);
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

/** Sends a form. */
export function send(
  url: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
): Promise<Response> {
  const form = { method, body, headers: { 'Content-Type': FORM_TYPE, ...headers } };
  return fetch(url, form);
}

/** Writes raw bytes, and returns all that arrives until the connection closes. */
export async function sendRaw(port: number, bytes: Uint8Array): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => void (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}
