import { once } from 'node:events';
import { Busboy } from '@fastify/busboy';
import type { Peer } from '../../support/peer.ts';
import { SCAN_KEY } from '../../support/samples.ts';
import type { Scene } from './scene.ts';

/** Whether a connection carried the whole form and nothing else: the scan key, and the file, byte by byte. */
export async function gotUpload(
  peer: Peer,
  { filename: name, content }: Scene['sent'],
): Promise<boolean> {
  const { body } = peer;
  if (body.length === 0 || String(body.length) !== peer.header('content-length')) return false;
  const heads: string[] = [];
  const chunks: Buffer[] = [];
  try {
    const headers = { 'content-type': peer.header('content-type') ?? '' };
    const parser = new Busboy({ headers, preservePath: true });
    parser.on('field', (field, value) => heads.push(`${field}=${value}`));
    parser.on('file', (part, stream, filename, _encoding, type) => {
      heads.push(`${part}=${filename} ${type}`);
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    });
    const finished = once(parser, 'finish');
    parser.end(body);
    await finished;
  } catch {
    return false;
  }
  const expected = [`ScanKey=${SCAN_KEY}`, `ScanJsonFile=${name} application/octet-stream`];
  return heads.join('\n') === expected.join('\n') && Buffer.concat(chunks).equals(content);
}
