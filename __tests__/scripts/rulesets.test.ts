import { matchesGlob } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Members } from '../support/workflows.ts';
import { JOBS, WORKFLOWS, listMembers, readMembers, readText } from '../support/workflows.ts';

const ON_PULL_REQUESTS = WORKFLOWS.filter(({ on }) => 'pull_request' in readMembers(on));

function readRuleset(name: string): unknown {
  return JSON.parse(readText('.github', 'rulesets', `${name}.json`));
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

test('main requires the checks that the workflows report', () => {
  const contexts = JSON.stringify(readRuleset('main')).matchAll(/"context":"(.*?)"/g);
  const required = Array.from(contexts, ([, context = '']) => context);
  const jobs = ON_PULL_REQUESTS.flatMap((workflow) => listMembers(workflow, 'jobs'));
  expect(required.toSorted()).toEqual(jobs.flatMap(listNames).toSorted());
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
  for (const part of [...others, ...JOBS]) expect(part).not.toHaveProperty('concurrency');
});

const MAINTAIN_AND_ADMIN = [2, 5];
const MOVES = ['creation', 'update', 'deletion'];

test.each([
  ['tags', ['tags/v1', 'tags/v1.0.0'], ['tags/x1', 'heads/v1'], MOVES, MAINTAIN_AND_ADMIN],
  ['release-tags', ['tags/v1.0.0', 'tags/v12.3.45'], ['tags/v1', 'tags/v1.0'], MOVES.slice(1), []],
  ['branches', ['heads/v1', 'heads/v1.0.0'], ['heads/view', 'tags/v1'], ['creation'], []],
])(
  '%s applies to its names and no others, except for its roles',
  (name, names, others, types, roles) => {
    const ruleset = readMembers(readRuleset(name));
    const conditions = readMembers(readMembers(ruleset['conditions'])['ref_name']);
    const patterns = Object.values(readMembers(conditions['include'])).map(String);
    const isMatched = (ref: string): boolean =>
      patterns.some((pattern) => matchesGlob(`refs/${ref}`, pattern));
    expect([...names, ...others].filter(isMatched)).toEqual(names);
    expect(listMembers(ruleset, 'rules').map(({ type }) => type)).toEqual(types);
    expect(listMembers(ruleset, 'bypass_actors').map((actor) => actor['actor_id'])).toEqual(roles);
  },
);
