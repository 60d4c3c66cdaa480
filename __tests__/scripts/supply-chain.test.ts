import { describe, expect, test } from '@jest/globals';
import { REPOSITORY } from '../../scripts/repository.ts';
import { JOBS, listMembers, listTree, readMembers, readText } from '../support/workflows.ts';

/** Packages that other packages install under another name. */
const ALIASES = [
  ['node_modules/@jest/react-is-18', 'react-is'],
  ['node_modules/@jest/react-is-19', 'react-is'],
  ['node_modules/string-width-cjs', 'string-width'],
  ['node_modules/strip-ansi-cjs', 'strip-ansi'],
  ['node_modules/wrap-ansi-cjs', 'wrap-ansi'],
];

test('the jobs that compare dist/ build it with the Node of setup-node', () => {
  const scripts = JOBS.map((job) => listMembers(job, 'steps').map(({ run }) => String(run)));
  const jobs = scripts.filter((lines) => lines.some((line) => line.includes('check:dist')));
  expect(jobs).toHaveLength(2);
  for (const lines of jobs) {
    const steps = ['npm ci', 'rm node_modules/.bin/node', 'check:dist'];
    const places = steps.map((step) => lines.findIndex((line) => line.includes(step)));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  }
});

describe('the packages', () => {
  const standIns = ['mime-types', 'undici'];
  const lockfile: unknown = JSON.parse(readText('package-lock.json'));
  const entries = Object.entries(readMembers(readMembers(lockfile)['packages']));
  const installed = entries
    .filter(([path]) => path.startsWith('node_modules/'))
    .map(([path, entry]) => ({ path, entry: readMembers(entry) }));

  test('come from the registry with a version and a digest, unless they are stand-ins', () => {
    const located = installed.filter(({ entry }) => 'resolved' in entry || 'link' in entry);
    const links = standIns.map((name) => ({
      path: `node_modules/${name}`,
      entry: { resolved: `stand-ins/${name}`, link: true },
    }));
    expect(located).toEqual(links);
    const own = entries.map(([path]) => path).filter((path) => !path.startsWith('node_modules/'));
    expect(own).toEqual(['', ...standIns.map((name) => `stand-ins/${name}`)]);
    const packages = installed.filter((each) => !located.includes(each));
    expect(packages.length).toBeGreaterThan(100);
    for (const { entry } of packages) {
      expect(entry['version']).toMatch(/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/);
      expect(entry['integrity']).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
    }
    const aliases = installed.filter(({ entry }) => 'name' in entry);
    expect(aliases.map(({ path, entry }) => [path, entry['name']])).toEqual(ALIASES);
  });

  test('run no scripts when they are installed, and are locked without addresses', () => {
    expect(readText('.npmrc').match(/^\w.*$/gm)).toEqual([
      'ignore-scripts=true',
      'omit-lockfile-registry-resolved=true',
    ]);
  });
});

test('jobs that sign or use a secret wait for an approval, but the called one and Scorecard', () => {
  const privileged = JOBS.filter((job) => /secrets\.|"id-token":"write"/.test(JSON.stringify(job)));
  const names = privileged.map(({ name, environment }) => environment ?? name).map(String);
  expect(names.toSorted()).toEqual(['Scorecard', 'Upload', 'release']);
});

test('the signed files are those of the commit', () => {
  const [job = {}] = JOBS.filter((one) => JSON.stringify(one).includes('actions/attest@'));
  expect(listMembers(job, 'steps').slice(0, 2)).toEqual([
    expect.objectContaining({ uses: expect.stringMatching(/^actions\/checkout@/) }),
    expect.objectContaining({ with: { 'subject-path': 'dist/*' } }),
  ]);
});

test('the repository allows the actions that its workflows use, of which GitHub has most', () => {
  const uses = JOBS.flatMap((job) => listMembers(job, 'steps')).map((step) => String(step['uses']));
  const others = uses.filter((name) => !/^(?:undefined$|\.|actions\/|github\/)/.test(name));
  const owners = new Set(others.map((name) => name.split('@')[0]));
  owners.delete(REPOSITORY);
  const allowed = readText('docs/maintenance.md').matchAll(/patterns_allowed\[\]=([^@]+)@\*/g);
  expect([...owners]).toEqual(Array.from(allowed, ([, name]) => name));
  expect(owners.size).toBeGreaterThan(0);
});

/** The text of everything that names actions or images: workflows, examples, README and guides. */
const USING = listTree()
  .filter((path) => /^(?:README\.md$|docs\/|examples\/|\.github\/)/.test(path))
  .map((path) => readText(path))
  .join('\n');

test('every action of others has the same commit everywhere, with its version beside it', () => {
  const found = USING.matchAll(/\buses: (?:https:\/\/github\.com\/)?(.*[/@].*)$/gm);
  const used = Array.from(found, ([, text = '']) => text).filter((text) => !text.startsWith('./'));
  const others = used.filter((text) => !text.startsWith(REPOSITORY));
  const pins = others.map(
    (text) =>
      /^([\w.-]+\/[\w.-]+)[\w/.-]*@([0-9a-f]{40} # v[\d.]+)$/.exec(text)?.slice(1).join('@') ??
      text,
  );
  const unique = new Set(pins);
  expect([...unique].filter((pin) => !pin.includes(' # v'))).toEqual([]);
  const names = new Set(Array.from(unique, (pin) => pin.split('@')[0]));
  expect([...unique]).toHaveLength(names.size);
  expect(names.size).toBeGreaterThan(7);
});

test('images have a digest', () => {
  // Not in inline code: messages name an image of the reader's own.
  const found = USING.matchAll(/^[^#`\n]*\b(?:image|container): ([^\s}]+)/gm);
  const images = Array.from(found, ([, image]) => image);
  expect(images.length).toBeGreaterThan(0);
  for (const image of images) expect(image).toMatch(/@sha256:[0-9a-f]{64}$/);
});
