// src/ (ES modules) -> lib/ (tsc) -> dist/index.js (one CommonJS file, ncc).
// CommonJS because an ES module's import of node:http costs about 19 ms at every start on Node 24.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import './require-node.mjs';

const require = createRequire(import.meta.url);
const runNode = (script, ...args) =>
  execFileSync(process.execPath, [script, ...args], { stdio: 'inherit' });

rmSync('lib', { recursive: true, force: true });
rmSync('dist', { recursive: true, force: true });
runNode(require.resolve('typescript/package.json').replace('package.json', 'bin/tsc'), '-p', 'tsconfig.build.json');
// Without a "type" of its own, lib/ would inherit "module" and ncc would emit an ES module.
writeFileSync('lib/package.json', '{}\n');
runNode(require.resolve('@vercel/ncc/dist/ncc/cli.js'), 'build', 'lib/index.js', '--out', 'dist', '--license', 'licenses.txt', '--no-cache');
writeFileSync('dist/package.json', '{"type":"commonjs"}\n');
