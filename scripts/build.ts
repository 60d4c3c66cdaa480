// src/ (ES modules) -> lib/ (tsc) -> dist/index.js (one CommonJS file, ncc).
// CommonJS because an ES module's import of node:http costs about 19 ms at every start on Node 24.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
const ncc = require.resolve('@vercel/ncc/dist/ncc/cli.js');

// The source map is for reading the places that an unexpected error names; nothing loads it.
const NCC_OPTIONS = [
  '--minify',
  '--source-map',
  '--no-source-map-register',
  '--license',
  'licenses.txt',
  '--no-cache',
];

function runNode(script: string, ...args: string[]): void {
  execFileSync(process.execPath, [script, ...args], { stdio: 'inherit' });
}

for (const folder of ['lib', 'dist']) rmSync(folder, { recursive: true, force: true });
runNode(tsc, '-p', 'tsconfig.build.json');
// Without a "type" of its own, lib/ would inherit "module" and ncc would emit an ES module.
writeFileSync('lib/package.json', '{}\n');
runNode(ncc, 'build', 'lib/index.js', '--out', 'dist', ...NCC_OPTIONS);
writeFileSync('dist/package.json', '{"type":"commonjs"}\n');
