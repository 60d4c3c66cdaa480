import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the SBOM is in a workspace. */
export const SBOM_PATH = 'packages-7/group-13/module-4/bom.cdx.json';

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');

/** A CycloneDX SBOM of at least `bytes` bytes, and at most one component more. */
export function makeSbom(directory: string, bytes: number, name = `${bytes}`): string {
  return provide(join(directory, `${name}.cdx.json`), (path) => {
    const components: string[] = [];
    for (let length = 0; length < bytes; length += components.at(-1)?.length ?? 0) {
      components.push(makeComponent(components.length));
    }
    const head = '{"bomFormat":"CycloneDX","specVersion":"1.6","version":1,"components":[';
    fs.writeFileSync(path, `${head}${components.join(',')}]}\n`);
  });
}

function makeComponent(index: number): string {
  const name = `library-${index}`;
  const version = `${index % 20}.${index % 7}.${index % 3}`;
  const purl = `pkg:npm/${name}@${version}`;
  const hashes = [{ alg: 'SHA-256', content: randomBytes(32).toString('hex') }];
  const about = { name, version, purl, hashes, licenses: [{ license: { id: 'MIT' } }] };
  return JSON.stringify({ type: 'library', 'bom-ref': purl, ...about });
}

/** A JSON list of `mebibytes` MiB. Only its first and last MiB take up space on the disk. */
export function makeSparse(directory: string, mebibytes: number): string {
  return provide(join(directory, `sparse-${mebibytes}.json`), (path) => {
    const filler = 'x'.repeat(2 ** 20 - 2);
    fs.writeFileSync(path, `["${filler}`);
    fs.truncateSync(path, (mebibytes - 1) * 2 ** 20);
    fs.appendFileSync(path, `${filler}"]`);
  });
}

/** SBOMs of 20 KB. */
export function makeScans(directory: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => makeSbom(directory, 20_000, `scan-${index}`));
}

/** A workspace with an SBOM, and 100 other files in each of `count` directories. */
export function makeWorkspace(directory: string, count: number): string {
  return provide(join(directory, `workspace-${count}`), (path) => {
    fs.mkdirSync(dirname(join(path, SBOM_PATH)), { recursive: true });
    fs.cpSync(makeSbom(directory, 1000), join(path, SBOM_PATH));
    for (let index = 0; index < count; index += 1) {
      const [outer, middle] = [Math.floor(index / 200), Math.floor(index / 10) % 20];
      const inner = join(path, `packages-${outer}`, `group-${middle}`, `module-${index % 10}`);
      fs.mkdirSync(inner, { recursive: true });
      for (let file = 0; file < 100; file += 1) {
        fs.writeFileSync(join(inner, `file-${file}.json`), '');
      }
    }
  });
}

/** The usual way to upload, bundled like this action. Returns the path of the bundle. */
export function buildPeer(directory: string, source: string): string {
  const peer = provide(join(directory, 'peer'), (path) => {
    fs.mkdirSync(path);
    fs.cpSync(source, join(path, 'peer.js'));
    // Without a "type" ncc emits CommonJS, which starts sooner.
    fs.writeFileSync(join(path, 'package.json'), '{}\n');
    fs.symlinkSync(MODULES, join(path, 'node_modules'), 'junction');
    const ncc = join(MODULES, '@vercel', 'ncc', 'dist', 'ncc', 'cli.js');
    const args = [ncc, 'build', 'peer.js', '--out', 'out', '--no-cache', '--quiet'];
    execFileSync(process.execPath, args, { cwd: path });
  });
  return join(peer, 'out', 'index.js');
}

/** A certificate for 127.0.0.1 that is its own CA. Returns its path; the key is `key.pem` beside it. */
export function makeCertificate(directory: string): string {
  return provide(join(directory, 'cert.pem'), (path) => {
    const kind = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
    const subject = '-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1';
    const args = `req ${kind} ${subject} -keyout key.pem -out ${path}`;
    execFileSync('openssl', args.split(' '), { cwd: directory, stdio: 'ignore' });
  });
}

/** Makes a file or directory the first time that a line needs it. Returns its path. */
function provide(path: string, make: (path: string) => void): string {
  if (!fs.existsSync(path)) make(path);
  return path;
}
