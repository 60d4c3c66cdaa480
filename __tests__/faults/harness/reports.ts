import { MIB } from '../../support/samples.ts';

/** A scan file of exactly so many bytes: JSON, with a content that tells one offset from another. */
function makeReport(bytes: number): Buffer {
  const head = Buffer.from('{"SchemaVersion":2,"Results":[],"Pad":"');
  const tail = Buffer.from('"}');
  const pattern = Array.from({ length: 211 }, (_, index) => (index * 2_654_435_761).toString(36));
  const pad = Buffer.alloc(bytes - head.length - tail.length, pattern.join(''));
  return Buffer.concat([head, pad, tail]);
}

/** A workspace with such a scan file, to be made when the case runs. */
export function makeLarge(mebibytes: number): () => Readonly<Record<string, Buffer>> {
  return () => ({ 'scan.json': makeReport(mebibytes * MIB) });
}

/** A file that is inspected in part. */
export const large = makeLarge(33);
/** A file that is inspected whole, and still larger than the buffers of a connection. */
export const whole = makeLarge(16);
