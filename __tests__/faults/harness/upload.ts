import { once } from 'node:events';
import { Busboy } from '@fastify/busboy';
import type { Peer } from '../../support/peer.ts';
import { SCAN_KEY } from '../../support/samples.ts';

/** A file part of the form as it must arrive. */
export interface ExpectedPart {
  readonly part: string;
  readonly filename: string;
  readonly content: Buffer;
}

const TYPE = 'application/octet-stream';

/** Whether a connection carried the whole form and nothing else: the scan key and each file, byte by byte. */
export async function gotUpload(peer: Peer, expected: readonly ExpectedPart[]): Promise<boolean> {
  const { body } = peer;
  if (body.length === 0 || String(body.length) !== peer.header('content-length')) return false;
  const fields: string[] = [];
  const files: { readonly head: string; readonly chunks: Buffer[] }[] = [];
  try {
    const headers = { 'content-type': peer.header('content-type') ?? '' };
    const parser = new Busboy({ headers, preservePath: true });
    parser.on('field', (name, value) => fields.push(`${name}=${value}`));
    parser.on('file', (part, stream, filename, _encoding, type) => {
      const chunks: Buffer[] = [];
      files.push({ head: [part, filename, type].join(), chunks });
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    });
    const finished = once(parser, 'finish');
    parser.end(body);
    await finished;
  } catch {
    return false;
  }
  const isSent = ({ part, filename, content }: ExpectedPart, index: number): boolean =>
    files[index]?.head === [part, filename, TYPE].join() &&
    Buffer.concat(files[index].chunks).equals(content);
  return (
    fields.join() === `ScanKey=${SCAN_KEY}` &&
    files.length === expected.length &&
    expected.every(isSent)
  );
}
