// Writes the repository's name to every file that has it: npm run rename -- OWNER/REPO
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { REPOSITORY } from './repository.ts';

const MAINTAINERS = 'scan-upload-maintainers';

const [name = ''] = process.argv.slice(2);
if (!/^[\w-]+\/[\w.-]+$/.test(name)) {
  throw new Error('Name the repository: npm run rename -- OWNER/REPO');
}

const replacements = [
  [REPOSITORY, name],
  [makeTeam(REPOSITORY), makeTeam(name)],
] as const;
const patterns = replacements.flatMap(([before]) => ['-e', before]);
const grep = ['grep', '--files-with-matches', '--fixed-strings', '-z', ...patterns];
const paths = execFileSync('git', grep, { encoding: 'utf8' }).split('\0').filter(Boolean);
for (const path of paths) {
  let text = readFileSync(path, 'utf8');
  for (const [before, after] of replacements) text = text.replaceAll(before, after);
  writeFileSync(path, text);
}
console.log(`${REPOSITORY} is ${name} now, in ${paths.length} files.`);

/** The team in CODEOWNERS. */
function makeTeam(repository: string): string {
  return `@${repository.split('/')[0]}/${MAINTAINERS}`;
}
