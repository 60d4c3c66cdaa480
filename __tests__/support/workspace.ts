import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach } from '@jest/globals';

/** The resources of one test or case, closed at its end. */
export class TestScope {
  readonly #cleanups: (() => Promise<void> | void)[] = [];

  /** Adds a function that runs at the end, in reverse order. */
  defer(cleanup: () => Promise<void> | void): void {
    this.#cleanups.push(cleanup);
  }

  async close(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).toReversed()) await cleanup();
  }
}

/** Closed after each test. Concurrent tests need a scope each. */
export const TEST_SCOPE = new TestScope();

afterEach(() => TEST_SCOPE.close());
// Nothing runs after each concurrent test.
afterAll(() => TEST_SCOPE.close());

/** Adds a function that runs after the test, in reverse order. */
export function cleanUp(cleanup: () => Promise<void> | void): void {
  TEST_SCOPE.defer(cleanup);
}

/** The files below a directory: contents by relative path, with `/`. */
export type Tree = Readonly<Record<string, string | Uint8Array>>;

/** Empty files of these paths. */
export function makeTree(paths: readonly string[]): Tree {
  return Object.fromEntries(paths.map((path) => [path, '']));
}

/** Creates a directory with files, removed with its scope. Returns its real path. */
export async function makeFolder(tree: Tree = {}, scope = TEST_SCOPE): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'scan-test-')));
  scope.defer(() => rm(directory, { recursive: true, force: true }));
  await writeTree(directory, tree);
  return directory;
}

export async function writeTree(directory: string, tree: Tree): Promise<void> {
  const files = Object.entries(tree).map(
    ([path, content]) => [join(directory, path), content] as const,
  );
  for (const parent of new Set(files.map(([path]) => dirname(path)))) {
    await mkdir(parent, { recursive: true });
  }
  for (const [path, content] of files) await writeFile(path, content);
}

export const SCAN_KEY = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

/** A scan key for the number of a scan. */
export function makeKey(index: number): string {
  return `3fa85f64-5717-4562-b3fc-${String(index).padStart(12, '0')}`;
}

/** A small JSON scan file that is not CycloneDX. */
export const REPORT = '{"SchemaVersion":2,"Results":[]}';

/** A small CycloneDX SBOM. */
export const SBOM = JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  components: [{ type: 'library', name: 'left', version: '1.0.0' }],
});

export const KIB = 1024;
export const MIB = 1024 * KIB;

/** Bytes without repeated parts. */
export function makeBytes(length: number): Buffer {
  return randomBytes(length);
}

export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Sets environment variables, or removes them (undefined), until the test has ended. */
export function setEnvironment(values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    const before = process.env[name];
    assignVariable(name, value);
    cleanUp(() => assignVariable(name, before));
  }
}

function assignVariable(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

/** Longer than any expression takes on a busy machine, to end one that would never end. */
const GUARD_MS = 60_000;

/**
 * Evaluates an expression with a source module's exports (`m`) in a separate process, with its own
 * environment variables, which is killed if it never ends. Returns the awaited value as text.
 */
export function evaluate(
  module: string,
  expression: string,
  variables: Readonly<Record<string, string>> = {},
): string {
  const { href } = new URL(`../../src/${module}`, import.meta.url);
  const script = `import(process.argv[1]).then(async (m) => console.log(String(await ${expression})))`;
  const args = ['--eval', script, href];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, ...variables },
    encoding: 'utf8',
    timeout: GUARD_MS,
    killSignal: 'SIGKILL',
  });
  if (status === 0) return stdout.trim();
  throw new Error(signal === null ? stderr : `Not done after ${GUARD_MS} ms: ${expression}`);
}
