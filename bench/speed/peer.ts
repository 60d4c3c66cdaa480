import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { getPath, runWhole } from './whole-process.ts';

const require = createRequire(import.meta.url);
const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');

/** What an action is bundled with, and where it lies here, beside stand-ins for some of it. */
const PACKAGES: Readonly<Record<string, string>> = {
  '@actions/core': '@actions/core',
  '@actions/exec': 'exec-itself',
  '@actions/http-client': '@actions/http-client',
  '@actions/io': '@actions/io',
  tunnel: 'tunnel-itself',
  undici: 'undici-itself',
};

/** Bundles the usual way to upload, as this action is: one CommonJS file. Gives its path. */
export async function buildPeer(folder: string): Promise<string> {
  mkdirSync(folder);
  copyFileSync(join(import.meta.dirname, 'others', 'peer.js'), join(folder, 'peer.js'));
  // Without a "type" ncc emits CommonJS, which starts sooner.
  writeFileSync(join(folder, 'package.json'), '{}\n');
  for (const [name, source] of Object.entries(PACKAGES)) {
    const from = join(MODULES, source);
    // Below it lies what takes another's place for this action.
    const filter = (path: string): boolean => path !== join(from, 'node_modules');
    cpSync(from, join(folder, 'node_modules', name), { recursive: true, filter });
  }
  const ncc = require.resolve('@vercel/ncc/dist/ncc/cli.js');
  const out = join(folder, 'out');
  const args = [ncc, 'build', 'peer.js', '--out', out, '--no-cache', '--quiet'];
  await runWhole({ file: process.execPath, args, cwd: folder, env: getPath() });
  return join(out, 'index.js');
}
