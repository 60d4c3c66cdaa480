import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { makeFolder } from '../support/directories.ts';
import type { Tree } from '../support/directories.ts';
import { describePosix } from '../support/files.ts';
import { ACTION } from '../support/run-action.ts';
import { describeGit, git } from './release-repository.ts';

const BUILD = 'cp src/index.ts dist/index.js && basename "$PWD" > dist/built.txt';
const PROJECT: Tree = {
  'package.json': JSON.stringify({ scripts: { build: BUILD } }),
  'tsconfig.json': '{}',
  'lib/package.json': '{}',
  'src/index.ts': 'one\n',
  'stand-ins/a': '',
  'node_modules/a': '',
  'dist/index.js': 'one\n',
  'dist/built.txt': 'name\n',
  'dist/package.json': '{"type":"commonjs"}\n',
};

describeGit(describePosix)('npm run check:dist', () => {
  test.each([
    ['accepts what src/ builds in a directory of another name', {}, ''],
    ['refuses another content', { 'dist/index.js': 'two\n' }, 'dist/index.js differ'],
    ['refuses an additional file', { 'dist/extra.js': '' }, 'dist: extra.js'],
    ['refuses another module type', { 'dist/package.json': '{}' }, 'dist/package.json differ'],
  ])('%s', async (_, files, problem) => {
    const directory = await makeFolder({ ...PROJECT, ...files });
    cpSync(join(ACTION, 'scripts', 'check-dist.sh'), join(directory, 'scripts', 'check-dist.sh'));
    git(directory, 'init', '--quiet');
    git(directory, 'add', '--all', '--force');
    git(directory, 'commit', '--quiet', '--message=One');
    const options = { cwd: directory, encoding: 'utf8' } as const;
    const { status, stdout } = spawnSync('bash', ['scripts/check-dist.sh'], options);
    expect(stdout).toContain(problem || 'dist/ is what src/ builds\n');
    expect(status).toBe(problem === '' ? 0 : 1);
  });
});
