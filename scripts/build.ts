// src/ (ES modules) -> lib/ (tsc) -> dist/index.js (CommonJS, ncc), and beside it what is imported only
// where a run needs it. CommonJS because an ES module's import of node:http costs about 19 ms at every
// start on Node 24.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
const ncc = require.resolve('@vercel/ncc/dist/ncc/cli.js');

function runNode(script: string, ...args: string[]): void {
  execFileSync(process.execPath, [script, ...args], { stdio: 'inherit' });
}

function bundle(entry: string, ...options: readonly string[]): void {
  runNode(ncc, 'build', join('lib', entry), '--no-cache', '--quiet', ...options);
}

/** What lib/ imports with `import()`, as a module there would. */
function listDeferred(): readonly string[] {
  const files = readdirSync('lib', { recursive: true, encoding: 'utf8', withFileTypes: true });
  const modules = files.filter((file) => file.isFile() && file.name.endsWith('.js'));
  return modules.flatMap(({ parentPath, name }) => {
    const imports = readFileSync(join(parentPath, name), 'utf8').matchAll(/\bimport\('([^']+)'\)/g);
    return Array.from(imports, ([, path = '']) =>
      path.startsWith('.') ? `./${relative('lib', join(parentPath, path))}` : path,
    );
  });
}

for (const folder of ['lib', 'dist']) rmSync(folder, { recursive: true, force: true });
runNode(tsc, '-p', 'tsconfig.build.json');
// Without a "type" of its own, lib/ would inherit "module" and ncc would emit an ES module.
writeFileSync('lib/package.json', '{}\n');

// ncc lists the licences of one file alone: that of a bundle with nothing deferred.
const everything = ['./index.js', ...listDeferred()].map((path) => `import '${path}';\n`);
writeFileSync('lib/everything.js', everything.join(''));
bundle('everything.js', '--out', 'dist', '--license', 'licenses.txt');
const licences = readFileSync('dist/licenses.txt');
rmSync('dist', { recursive: true });

// The source map is for reading the places that an unexpected error names; nothing loads it.
bundle('index.js', '--out', 'dist', '--minify', '--source-map', '--no-source-map-register');
writeFileSync('dist/licenses.txt', licences);
writeFileSync('dist/package.json', '{"type":"commonjs"}\n');
