import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { getPath, runWhole } from './whole-process.ts';

const require = createRequire(import.meta.url);
const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');

/** Bundles the usual way to upload, as this action is: one CommonJS file. Returns its path. */
export async function buildPeer(directory: string): Promise<string> {
  mkdirSync(directory);
  copyFileSync(join(import.meta.dirname, 'others', 'peer.js'), join(directory, 'peer.js'));
  // Without a "type" ncc emits CommonJS, which starts sooner.
  writeFileSync(join(directory, 'package.json'), '{}\n');
  symlinkSync(MODULES, join(directory, 'node_modules'), 'junction');
  const ncc = require.resolve('@vercel/ncc/dist/ncc/cli.js');
  const out = join(directory, 'out');
  const args = [ncc, 'build', 'peer.js', '--out', out, '--no-cache', '--quiet'];
  await runWhole({ file: process.execPath, args, cwd: directory, env: getPath() });
  return join(out, 'index.js');
}
