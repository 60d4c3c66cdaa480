import { randomBytes } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs';

const MIB = 2 ** 20;
const OPENING = '["';
const CLOSING = '"]';

/** Writes a CycloneDX inventory of at least `bytes` bytes and one component more at most. */
export function writeInventory(path: string, bytes: number): void {
  const components: string[] = [];
  for (let length = 0; length < bytes; length += components.at(-1)?.length ?? 0) {
    components.push(makeComponent(components.length));
  }
  const head = '{"bomFormat":"CycloneDX","specVersion":"1.6","version":1,"components":[';
  writeFileSync(path, `${head}${components.join(',')}]}\n`);
}

function makeComponent(index: number): string {
  const name = `library-${index}`;
  const version = `${index % 20}.${index % 7}.${index % 3}`;
  const purl = `pkg:npm/${name}@${version}`;
  const hashes = [{ alg: 'SHA-256', content: randomBytes(32).toString('hex') }];
  const licenses = [{ license: { id: 'MIT' } }];
  return JSON.stringify({
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    hashes,
    licenses,
  });
}

/** Writes a JSON list of one long random text, `mebibytes` MiB in all. */
export function writeLarge(path: string, mebibytes: number): void {
  const block = Buffer.from(randomBytes((MIB / 4) * 3).toString('base64'));
  const file = openSync(path, 'w');
  for (let index = 0; index < mebibytes; index += 1) {
    block.write(String(index));
    writeSync(file, block);
  }
  writeSync(file, OPENING, 0);
  writeSync(file, CLOSING, mebibytes * MIB - CLOSING.length);
  closeSync(file);
}

/** Makes a file as long that takes up next to no room, and begins and ends like a JSON list. */
export function makeSparse(path: string, mebibytes: number): void {
  const file = openSync(path, 'w');
  ftruncateSync(file, mebibytes * MIB);
  // More at either end than is looked at of a file that is not read to its end.
  writeSync(file, `${OPENING}${'x'.repeat(MIB)}`, 0);
  writeSync(file, `${'x'.repeat(MIB)}${CLOSING}`, mebibytes * MIB - MIB - CLOSING.length);
  closeSync(file);
}
