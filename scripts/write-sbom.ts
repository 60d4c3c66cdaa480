// Prints the CycloneDX SBOM of dist/index.js: node scripts/write-sbom.ts. It needs no node_modules, because a release
// runs it where no code of packages may run: packages are read from the lockfile, their licences from dist/.
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './repository.ts';

/** An entry of `packages` in the lockfile, by its directory. */
interface Package {
  readonly name?: string;
  readonly version: string;
  /** SHA-512 in Base64, behind `sha512-`. A stand-in has none. */
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  /** The directory of a link. */
  readonly resolved?: string;
  readonly dev?: boolean;
}

interface Licence {
  readonly id: string;
  readonly text: string;
}

const ROOT = join(import.meta.dirname, '..');
const OWNER = { name: REPOSITORY.split('/')[0] };

const lock: unknown = JSON.parse(readText('package-lock.json'));
if (!isLock(lock)) throw new Error('package-lock.json has no packages');
const { packages } = lock;
const own = packages[''];
if (own === undefined) throw new Error('package-lock.json has no package of its own');
const source = `pkg:github/${REPOSITORY.toLowerCase()}@v${own.version}`;

const licences = readLicences();
/** The directories of the bundled packages. */
const bundled = Object.entries(packages)
  .filter(([path, { dev, resolved }]) => path !== '' && dev !== true && resolved === undefined)
  .map(([path]) => path)
  .filter((path) => licences.has(findName(path)));
if (bundled.length !== licences.size) throw new Error('dist/licenses.txt names unknown packages');

console.log(
  JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: `urn:uuid:${randomUUID()}`,
      version: 1,
      metadata: {
        timestamp: new Date().toISOString(),
        lifecycles: [{ phase: 'build' }],
        authors: [OWNER],
        supplier: OWNER,
        component: {
          type: 'application',
          'bom-ref': source,
          supplier: OWNER,
          name: own.name,
          version: own.version,
          hashes: [{ alg: 'SHA-512', content: hashFile('dist/index.js') }],
          licenses: makeLicences({ id: 'MIT', text: readText('LICENSE') }),
          purl: source,
        },
      },
      components: bundled.map(makeComponent),
      dependencies: [
        { ref: source, dependsOn: listDependencies('') },
        ...bundled.map((path) => ({ ref: makePurl(path), dependsOn: listDependencies(path) })),
      ],
    },
    undefined,
    2,
  ),
);

/** npm writes the lockfile, so its entries are not checked. */
function isLock(value: unknown): value is { readonly packages: Readonly<Record<string, Package>> } {
  return typeof value === 'object' && value !== null && 'packages' in value;
}

function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function hashFile(path: string): string {
  return createHash('sha512').update(readText(path)).digest('hex');
}

/** The licences in dist/licenses.txt, by the names of the packages: name, id and text of each follow each other. */
function readLicences(): ReadonlyMap<string, Licence> {
  const names = Object.keys(packages).map((path) => findName(path));
  const heading = new RegExp(`^(${names.join('|')})\\n([A-Z][\\w.-]*)\\n`, 'm');
  const [, ...parts] = readText('dist/licenses.txt').split(heading);
  const found = new Map<string, Licence>();
  for (let index = 0; index < parts.length; index += 3) {
    const [name = '', id = '', text = ''] = parts.slice(index);
    found.set(name, { id, text: text.trim() });
  }
  return found;
}

/** The name of the package in a directory. */
function findName(path: string): string {
  return packages[path]?.name ?? path.replace(/^.*node_modules\//, '');
}

/** Where a package comes from: the stand-ins are in this repository, and not in a registry. */
function makePurl(path: string): string {
  if (!path.startsWith('node_modules/')) return `${source}#${path}`;
  return `pkg:npm/${findName(path).replace('@', '%40')}@${packages[path]?.version}`;
}

function makeComponent(path: string): object {
  const name = findName(path);
  const licence = licences.get(name);
  const { version, integrity } = packages[path] ?? {};
  if (licence === undefined) throw new Error(`${name} has no licence`);
  const digest = integrity?.replace('sha512-', '');
  const [, holder] = /\bCopyright (?:\(c\) )?(?:\d{4} )?(.+)/.exec(licence.text) ?? [];
  return {
    type: 'library',
    'bom-ref': makePurl(path),
    // The lockfile does not name the author, and the Blue Oak licence names no holder.
    supplier: { name: holder ?? 'npm registry' },
    name,
    version,
    hashes: [
      {
        alg: 'SHA-512',
        content:
          digest === undefined
            ? hashFile(`${path}/index.js`)
            : Buffer.from(digest, 'base64').toString('hex'),
      },
    ],
    licenses: makeLicences(licence),
    purl: makePurl(path),
  };
}

function makeLicences({ id, text }: Licence): object {
  return [{ license: { id, text: { contentType: 'text/plain', content: text } } }];
}

/** What a package depends on of what is bundled. */
function listDependencies(path: string): readonly string[] {
  const names = Object.keys(packages[path]?.dependencies ?? {});
  return names
    .map((name) => resolveName(path, name))
    .filter((found) => bundled.includes(found))
    .map(makePurl);
}

/** The directory from which a package imports another, by Node's rules. */
function resolveName(from: string, name: string): string {
  const path = `${from}/node_modules/${name}`.replace(/^\//, '');
  const found = packages[path];
  if (found !== undefined) return found.resolved ?? path;
  if (from === '') throw new Error(`package-lock.json has no ${name}`);
  return resolveName(from.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, ''), name);
}
