// Builds dist/ a second time, in a directory of another name and depth, and fails if a byte differs: what is
// committed has to follow from the sources alone. ncc writes other paths where node_modules is a link,
// so the packages are copied.
import { execSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

const directory = mkdtempSync(join(tmpdir(), 'reproducible-'));
try {
  const copy = join(directory, 'another', 'name');
  copySources(copy);
  execSync('npm run --silent build', { cwd: copy, stdio: 'inherit' });
  const differing = listDiffering(join(ROOT, 'dist'), join(copy, 'dist'));
  if (differing.length > 0) {
    console.error(`Not the same when it is built elsewhere: ${differing.join(', ')}`);
    process.exitCode = 1;
  } else {
    console.log('The same when it is built in another directory: dist');
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Copies what is committed or about to be, without dist/, and the packages. */
function copySources(target: string): void {
  const command = 'git ls-files -z --cached --others --exclude-standard';
  const listed = execSync(command, { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const sources = listed.filter((path) => path !== '' && dirname(path) !== 'dist');
  for (const path of [...sources, 'node_modules']) {
    cpSync(join(ROOT, path), join(target, path), { recursive: true, verbatimSymlinks: true });
  }
}

/** Which of the files that were built are not the same elsewhere. */
function listDiffering(committed: string, built: string): readonly string[] {
  return readdirSync(built).filter(
    (name) => !readFileSync(join(built, name)).equals(readFileSync(join(committed, name))),
  );
}
