// Builds dist/ a second time, in a folder of another name and depth, and fails if a byte differs: what is
// committed has to follow from the sources alone. ncc writes other paths where node_modules is a link,
// so the packages are copied.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

const folder = mkdtempSync(join(tmpdir(), 'reproducible-'));
try {
  const copy = join(folder, 'another', 'name');
  copySources(copy);
  execFileSync(process.execPath, [join('scripts', 'build.ts')], { cwd: copy, stdio: 'inherit' });
  const differing = compare(join(ROOT, 'dist'), join(copy, 'dist'));
  if (differing.length > 0) {
    console.error(`Not the same when it is built elsewhere: ${differing.join(', ')}`);
    process.exitCode = 1;
  } else {
    console.log('The same when it is built in another folder: dist');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** What is committed or about to be, without dist, and the packages. */
function copySources(target: string): void {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  const paths = listed.split('\0').filter((path) => path !== '' && dirname(path) !== 'dist');
  for (const path of [...paths, 'node_modules']) {
    cpSync(join(ROOT, path), join(target, path), { recursive: true, verbatimSymlinks: true });
  }
}

/** The files of either folder that are not the same in both. */
function compare(one: string, other: string): readonly string[] {
  const names = new Set([...readdirSync(one), ...readdirSync(other)]);
  return [...names].filter(
    (name) => !read(one, name)?.equals(read(other, name) ?? Buffer.alloc(0)),
  );
}

function read(directory: string, name: string): Buffer | undefined {
  return readdirSync(directory).includes(name) ? readFileSync(join(directory, name)) : undefined;
}
