import * as fs from 'node:fs';
import { join } from 'node:path';

/** A CycloneDX SBOM of about `bytes` bytes. Returns its path. */
export function makeSbom(directory: string, bytes: number, name = `${bytes}`): string {
  const path = join(directory, `${name}.cdx.json`);
  const first = makeComponent(0);
  const components = [first];
  while (components.length * first.length < bytes) {
    components.push(makeComponent(components.length));
  }
  const head = '{"bomFormat":"CycloneDX","specVersion":"1.6","version":1,"components":[';
  fs.writeFileSync(path, `${head}${components.join(',')}]}\n`);
  return path;
}

function makeComponent(index: number): string {
  const name = `library-${String(index).padStart(6, '0')}`;
  const purl = `pkg:npm/${name}@1.2.3`;
  const hashes = [{ alg: 'SHA-256', content: String(index).padStart(64, '0') }];
  return JSON.stringify({ type: 'library', 'bom-ref': purl, name, version: '1.2.3', purl, hashes });
}

/** A JSON list of `mebibytes` MiB. Only its first and last MiB take up space on the disk. */
export function makeSparse(directory: string, mebibytes: number): string {
  const path = join(directory, `sparse-${mebibytes}.json`);
  const filler = 'x'.repeat(2 ** 20 - 2);
  fs.writeFileSync(path, `["${filler}`);
  fs.truncateSync(path, (mebibytes - 1) * 2 ** 20);
  fs.appendFileSync(path, `${filler}"]`);
  return path;
}

/** A directory with an SBOM, and 100 other files in each of `count` directories. */
export function makeModules(directory: string, count: number): string {
  const modules = join(directory, 'modules');
  for (let index = 0; index < count; index += 1) {
    const inner = join(modules, `group-${index % 20}`, `module-${index}`);
    fs.mkdirSync(inner, { recursive: true });
    for (let file = 0; file < 100; file += 1) fs.writeFileSync(join(inner, `${file}.json`), '');
  }
  makeSbom(join(modules, 'group-0', 'module-0'), 1000, 'bom');
  return modules;
}
