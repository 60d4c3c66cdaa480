import { readFileSync, readdirSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { ACTION } from '../support/run-action.ts';

type Members = Readonly<Record<string, unknown>>;

const WORKFLOWS = readdirSync(join(ACTION, '.github', 'workflows')).map((name) =>
  readMembers(load(readFileSync(join(ACTION, '.github', 'workflows', name), 'utf8'))),
);
const ON_PULL_REQUESTS = WORKFLOWS.filter(({ on }) => 'pull_request' in readMembers(on));

function readMembers(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function readRuleset(name: string): string {
  return readFileSync(join(ACTION, '.github', 'rulesets', `${name}.json`), 'utf8');
}

/** The names under which GitHub reports a job: one for each value of its matrix. */
function listNames(job: Members): readonly string[] {
  const name = String(job['name']);
  const [, variable = ''] = /\$\{\{ matrix\.(\w+) \}\}/.exec(name) ?? [];
  if (variable === '') return [name];
  const matrix = readMembers(readMembers(job['strategy'])['matrix']);
  const values = Object.values(readMembers(matrix[variable])).map(String);
  return values.map((value) => name.replace(`\${{ matrix.${variable} }}`, value));
}

function listJobs(workflows: readonly Members[]): readonly Members[] {
  return workflows.flatMap(({ jobs }) => Object.values(readMembers(jobs)).map(readMembers));
}

test('main requires the checks that the workflows report', () => {
  const contexts = readRuleset('main').matchAll(/"context": "(.*?)"/g);
  const required = Array.from(contexts, ([, context = '']) => context);
  expect(required.toSorted()).toEqual(listJobs(ON_PULL_REQUESTS).flatMap(listNames).toSorted());
  expect(new Set(required).size).toBe(required.length);
});

test('the required checks also run for every commit on main, and are not cancelled', () => {
  for (const workflow of ON_PULL_REQUESTS) {
    expect(workflow).toMatchObject({
      on: { push: { branches: ['main'] } },
      concurrency: {
        group: '${{ github.workflow }}-${{ github.event.pull_request.number || github.run_id }}',
        'cancel-in-progress': "${{ github.event_name == 'pull_request' }}",
      },
    });
  }
  const others = WORKFLOWS.filter((workflow) => !ON_PULL_REQUESTS.includes(workflow));
  for (const part of [...others, ...listJobs(WORKFLOWS)])
    expect(part).not.toHaveProperty('concurrency');
});

describe.each([
  ['major-tags', ['v1', 'v12'], ['v1.0.0', 'v1-rc', 'vX', 'v123']],
  ['release-tags', ['v1.0.0', 'v12.3.45'], ['v1', 'v1.0', 'v12']],
  ['release-tag-creation', ['v1.0.0', 'v12.3.45'], ['v1', 'v1.0', 'v12']],
])('%s', (name, tags, others) => {
  const patterns = Array.from(
    readRuleset(name).matchAll(/"(refs\/tags\/.*?)"/g),
    ([, text = '']) => text,
  );
  const isMatched = (tag: string): boolean =>
    patterns.some((pattern) => matchesGlob(`refs/tags/${tag}`, pattern));

  test('applies to its tags and no others', () => {
    expect(tags.filter((tag) => !isMatched(tag))).toEqual([]);
    expect(others.filter(isMatched)).toEqual([]);
  });
});
