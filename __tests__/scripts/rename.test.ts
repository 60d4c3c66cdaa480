import { execSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { REPOSITORY } from '../../scripts/repository.ts';
import { makeFolder, writeTree } from '../support/directories.ts';
import { ACTION } from '../support/run-action.ts';
import { listTree } from '../support/workflows.ts';
import { describeGit, git } from './release-repository.ts';

/** The placeholder and the current name of the repository. The pattern does not match itself. */
const NAMES = new RegExp(`your[-]org|${REPOSITORY}`);
const TEAM = 'scan-upload-maintainers';
/** What the checks read, besides the files that have the name. */
const CHECKED = /^(?:(?:src|scripts|docs)\/.*|[^/]+)$/;

/** The paths of the files in a tree that have the name. */
function listNamed(root: string): readonly string[] {
  return listTree(root).filter((path) => NAMES.test(readFileSync(join(root, path), 'utf8')));
}

/** A repository with copies of the files, and one commit. */
async function makeClone(): Promise<string> {
  const directory = await makeFolder();
  const checked = listTree().filter((path) => CHECKED.test(path));
  for (const path of [...checked, ...listNamed(ACTION)])
    cpSync(join(ACTION, path), join(directory, path));
  await writeTree(directory, {
    // As before the first rename: a renamed repository may have other owners.
    '.github/CODEOWNERS': `* @${REPOSITORY.split('/')[0]}/${TEAM}\n`,
    // To format all of it takes long.
    '.prettierignore': 'dist\nsrc\npackage-lock.json\n',
  });
  git(directory, 'init', '--quiet');
  git(directory, 'add', '--all', '--force');
  git(directory, 'commit', '--quiet', '--message=One');
  symlinkSync(join(ACTION, 'node_modules'), join(directory, 'node_modules'), 'junction');
  return directory;
}

describeGit()('npm run rename', () => {
  test('replaces the repository and its owner in all files, also the second time', async () => {
    const directory = await makeClone();
    const run = (script: string): string =>
      execSync(`npm run --silent ${script}`, { cwd: directory, encoding: 'utf8', stdio: 'pipe' });
    const read = (path: string): string => readFileSync(join(directory, path), 'utf8');
    // The first name is the beginning of the team's, the second too long for a line of 100 characters.
    for (const name of ['o/scan-upload', `second-owner/scan.${'s'.repeat(80)}`]) {
      expect(run(`rename -- ${name}`)).toContain(`${name} now`);
      expect(read('README.md')).toContain(`uses: ${name}@v1`);
      expect(read('.github/CODEOWNERS')).toContain(`@${name.split('/')[0]}/${TEAM}`);
    }
    expect(listNamed(directory)).toEqual([]);
    git(directory, 'commit', '--quiet', '--all', '--message=Name the repository');
    // Both throw if they fail.
    run('format:check');
    run('check:generated');
  });
});
