import { Busboy } from '@fastify/busboy';
import type { Peer } from '../../support/peer.ts';
import { SCAN_KEY } from '../../support/samples.ts';

/** A file part of the form as it must arrive. */
export interface ExpectedPart {
  readonly part: string;
  readonly filename: string;
  readonly content: Buffer;
}

interface ReceivedPart {
  readonly part: string;
  readonly filename: string;
  readonly type: string;
  readonly chunks: Buffer[];
}

/** Whether a connection carried the whole form: the scan key and each file, byte by byte. */
export async function gotUpload(peer: Peer, expected: readonly ExpectedPart[]): Promise<boolean> {
  const { body } = peer;
  if (body.length === 0 || String(body.length) !== peer.header('content-length')) return false;
  const form = await parseForm(peer.header('content-type') ?? '', body);
  if (form === undefined || form.keys.join() !== SCAN_KEY) return false;
  return (
    form.parts.length === expected.length &&
    expected.every(({ part, filename, content }, index) => {
      const got = form.parts[index];
      if (got === undefined || got.part !== part || got.filename !== filename) return false;
      return got.type === 'application/octet-stream' && Buffer.concat(got.chunks).equals(content);
    })
  );
}

/** The scan keys and file parts of a form; undefined if it is not a whole one. */
async function parseForm(
  contentType: string,
  body: Buffer,
): Promise<
  { readonly keys: readonly string[]; readonly parts: readonly ReceivedPart[] } | undefined
> {
  const keys: string[] = [];
  const parts: ReceivedPart[] = [];
  try {
    const parser = new Busboy({ headers: { 'content-type': contentType }, preservePath: true });
    parser.on('field', (name, value) => keys.push(name === 'ScanKey' ? value : `not ${name}`));
    parser.on('file', (part, stream, filename, _encoding, type) => {
      const chunks: Buffer[] = [];
      parts.push({ part, filename, type, chunks });
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    });
    const finished = new Promise<void>((resolve, reject) => {
      parser.on('finish', () => resolve());
      parser.on('error', reject);
    });
    parser.end(body);
    await finished;
  } catch {
    return undefined;
  }
  return { keys, parts };
}
