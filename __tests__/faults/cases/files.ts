/** A scan file of exactly so many bytes: JSON, with a content that tells one offset from another. */
export function makeReport(bytes: number): Buffer {
  const head = Buffer.from('{"SchemaVersion":2,"Results":[],"Pad":"');
  const tail = Buffer.from('"}');
  const pattern = Array.from({ length: 211 }, (_, index) => (index * 2_654_435_761).toString(36));
  const pad = Buffer.alloc(bytes - head.length - tail.length, pattern.join(''));
  return Buffer.concat([head, pad, tail]);
}

export const MIB = 1024 * 1024;
