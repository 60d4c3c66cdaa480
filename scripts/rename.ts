// Writes the repository's name to every file that has it: npm run rename -- OWNER/REPO
import { execFileSync, execSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './repository.ts';

const MAINTAINERS = 'scan-upload-maintainers';

// From any directory, the clone that this script is in.
process.chdir(join(import.meta.dirname, '..'));
const [name = ''] = process.argv.slice(2);
if (!/^[\w-]+\/[\w.-]+$/.test(name)) fail('Name the repository: npm run rename -- OWNER/REPO');
if (!['.git', 'node_modules'].every((path) => existsSync(path))) {
  fail(`${process.cwd()} is no clone with packages: run this in a clone, after npm ci.`);
}

const team = makeTeam(REPOSITORY);
const options = ['--files-with-matches', '--fixed-strings', '-z'];
const grep = ['grep', ...options, '-e', REPOSITORY, '-e', team];
const paths = execFileSync('git', grep, { encoding: 'utf8' }).split('\0').filter(Boolean);
for (const path of paths) {
  // The team's name may begin with the repository's, so only what is around the team is searched.
  const parts = readFileSync(path, 'utf8').split(team);
  writeFileSync(path, parts.map((part) => part.replaceAll(REPOSITORY, name)).join(makeTeam(name)));
}
// The name stands in generated tables, and changes how long lines are.
for (const script of ['generate', 'format -- --log-level warn']) {
  execSync(`npm run --silent ${script}`, { stdio: 'inherit' });
}
console.log(`${REPOSITORY} is ${name} now, in ${paths.length} files.`);

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/** The team in CODEOWNERS. */
function makeTeam(repository: string): string {
  return `@${repository.split('/')[0]}/${MAINTAINERS}`;
}
