import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { REPOSITORY } from '../../scripts/repository.ts';
import { makeFolder, writeTree } from '../support/directories.ts';
import { ACTION } from '../support/run-action.ts';

/** The placeholder and the current name of the repository. The pattern does not match itself. */
const NAMES = ['-e', 'your[-]org', '-e', REPOSITORY];
const PRETTIER = join(ACTION, 'node_modules', 'prettier', 'bin', 'prettier.cjs');
const TEAM = 'scan-upload-maintainers';

function run(directory: string, command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd: directory, encoding: 'utf8', stdio: 'pipe' });
}

test('npm run rename replaces the repository and its owner in all files, also the second time', async () => {
  const directory = await makeFolder();
  const named = run(ACTION, 'git', 'grep', '--files-with-matches', '--untracked', '-z', ...NAMES);
  for (const path of [...named.split('\0').filter(Boolean), 'scripts/rename.ts']) {
    cpSync(join(ACTION, path), join(directory, path));
  }
  // Restores the file as before the first rename: a renamed repository may have other owners.
  await writeTree(directory, { '.github/CODEOWNERS': `* @${REPOSITORY.split('/')[0]}/${TEAM}\n` });
  run(directory, 'git', 'init', '--quiet');
  run(directory, 'git', 'add', '--all', '--force');
  const read = (path: string): string => readFileSync(join(directory, path), 'utf8');
  // The first name is the beginning of the team's, the second too long for a line of 100 characters.
  for (const name of ['first-owner/scan-upload', `second-owner/scan.${'s'.repeat(80)}`]) {
    expect(run(directory, process.execPath, 'scripts/rename.ts', name)).toContain(`${name} now`);
    expect(read('README.md')).toContain(`uses: ${name}@v1`);
    expect(read('.github/CODEOWNERS')).toContain(`@${name.split('/')[0]}/${TEAM}`);
    const left = spawnSync('git', ['grep', '--line-number', ...NAMES], { cwd: directory });
    expect(left.stdout.toString()).toBe('');
    run(directory, process.execPath, PRETTIER, '--check', 'scripts/repository.ts');
  }
});

test.each([[], ['uploads'], ['owner/up loads'], ['https://github.com/owner/uploads']])(
  'npm run rename refuses a name that is not OWNER/REPO (%#)',
  async (...args) => {
    const script = join(ACTION, 'scripts', 'rename.ts');
    const options = { cwd: await makeFolder(), encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync(process.execPath, [script, ...args], options);
    expect(status).toBe(1);
    expect(stderr).toContain('Name the repository: npm run rename -- OWNER/REPO');
  },
);
