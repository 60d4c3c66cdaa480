import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { REPOSITORY } from '../../scripts/repository.ts';
import {
  JOBS,
  listMembers,
  listNames,
  listTree,
  readMembers,
  readPath,
  readText,
} from '../support/repository.ts';
import { ACTION } from '../support/run-action.ts';

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

test('packages come from the registry with a version and a digest, unless they are stand-ins', () => {
  const standIns = ['@actions/exec', 'mime-types', 'undici'];
  const packages = readPath(JSON.parse(readText('package-lock.json')), 'packages');
  const own = Object.keys(packages).filter((path) => !path.startsWith('node_modules/'));
  const directories = standIns.map((name) => `stand-ins/${name.replace('@actions/', '')}`);
  expect(own).toEqual(['', ...directories]);
  for (const [index, name] of standIns.entries()) {
    const link = { resolved: directories[index], link: true };
    expect(packages[`node_modules/${name}`]).toEqual(link);
    // Nobody else can publish a package under a scope, so no scanner takes a stand-in for one.
    const scoped = `@scan-upload-action/${name.replace('@actions/', '')}`;
    expect(packages[String(link.resolved)]).toMatchObject({ name: scoped });
    expect(readText(String(link.resolved), 'LICENSE')).toBe(readText('LICENSE'));
  }
  const others = Object.entries(packages).filter(
    ([path]) => !own.includes(path) && !standIns.includes(path.replace('node_modules/', '')),
  );
  expect(others.length).toBeGreaterThan(100);
  for (const [, entry] of others) {
    expect(entry).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/),
      integrity: expect.stringMatching(/^sha512-[A-Za-z0-9+/]{86}==$/),
    });
    expect(listNames(entry).filter((name) => ['resolved', 'link'].includes(name))).toEqual([]);
  }
});

test('packages run no scripts when they are installed, and are locked without addresses', () => {
  expect(readText('.npmrc').match(/^\w.*$/gm)).toEqual([
    'ignore-scripts=true',
    'omit-lockfile-registry-resolved=true',
  ]);
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

test('the SBOM of a release has what scanners ask for, of all that is bundled', () => {
  const script = join(ACTION, 'scripts', 'write-sbom.ts');
  const sbom: unknown = JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' }));
  const known = {
    supplier: { name: expect.stringMatching(/\S/) },
    version: expect.stringMatching(/^\d/),
    purl: expect.stringMatching(/^pkg:(?:npm|github)\/[^@]+@v?\d/),
    hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    licenses: [{ license: { text: { content: expect.stringMatching(/copyright/i) } } }],
  };
  expect(sbom).toMatchObject({
    metadata: {
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      component: { ...known, name: 'scan-upload-action' },
    },
  });
  const components = listMembers(sbom, 'components');
  for (const component of components) expect(component).toMatchObject(known);
  const names = components.map(({ name }) => String(name));
  const headings = readText('dist/licenses.txt').match(/^(?:@[\w-]+\/)?[a-z][\w-]*(?=\n[A-Z])/gm);
  expect(names.toSorted()).toEqual(headings);
  const references = components.map((component) => component['bom-ref']);
  const dependencies = listMembers(sbom, 'dependencies');
  const [root, ...others] = dependencies.map(({ ref }) => ref);
  expect([readPath(sbom, 'metadata', 'component')['bom-ref'], others]).toEqual([root, references]);
  const used = dependencies.flatMap(({ dependsOn }) => Object.values(readMembers(dependsOn)));
  expect(new Set(used)).toEqual(new Set(references));
});

/** The text of everything that names actions or images: workflows, examples, README and guides. */
const USING = listTree()
  .filter((path) => /^(?:README\.md$|docs\/|examples\/|\.github\/)/.test(path))
  .map((path) => readText(path))
  .join('\n');

test('every action of others has the same commit everywhere, with its version beside it', () => {
  const found = USING.matchAll(/\buses: (?:https:\/\/github\.com\/)?(.*[/@].*)$/gm);
  const used = Array.from(found, ([, text = '']) => text).filter((text) => !text.startsWith('./'));
  // `ORG` is the reader's organization.
  const pins = used
    .filter((text) => !text.startsWith(REPOSITORY) && !text.startsWith('ORG/'))
    .map((text) => {
      const [, action, pin] =
        /^([\w.-]+\/[\w.-]+)[\w/.-]*@([0-9a-f]{40} # v[\d.]+)$/.exec(text) ?? [];
      return [action ?? text, pin] as const;
    });
  expect(pins.filter(([, pin]) => pin === undefined)).toEqual([]);
  const unique = new Map(pins);
  expect(pins.filter(([action, pin]) => unique.get(action) !== pin)).toEqual([]);
  expect(unique.size).toBeGreaterThan(7);
});

test('images have a digest', () => {
  // Not in inline code: messages name an image of the reader's own.
  const found = USING.matchAll(/^[^#`\n]*\b(?:image|container): ([^\s}]+)/gm);
  const images = Array.from(found, ([, image]) => image);
  expect(images.length).toBeGreaterThan(0);
  for (const image of images) expect(image).toMatch(/@sha256:[0-9a-f]{64}$/);
});
