import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { ACTION } from './run-action.ts';

export type Members = Readonly<Record<string, unknown>>;

/** The members of an object or the items of an array by their index; none of anything else. */
export function readMembers(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The members of what is at a path in an object. */
export function readPath(value: unknown, ...path: readonly string[]): Members {
  return path.reduce((members, name) => readMembers(members[name]), readMembers(value));
}

/** The names of the members of what is at a path in an object. */
export function listNames(value: unknown, ...path: readonly string[]): string[] {
  return Object.keys(readPath(value, ...path));
}

/** The members or items of a member, as objects. */
export function listMembers(value: unknown, member: string): readonly Members[] {
  return Object.values(readPath(value, member)).map(readMembers);
}

/** A file of the repository. */
export function readText(...path: readonly string[]): string {
  return readFileSync(join(ACTION, ...path), 'utf8');
}

/** No part of the repository: git's own directory, and what .gitignore names. */
const IGNORED = ['.git', ...(readText('.gitignore').match(/^\/?\w+(?=\/)/gm) ?? [])].map((name) =>
  name.replace('/', ''),
);

/** The files of the repository or of a copy of it, as paths with `/`. An unpacked archive has no git to ask. */
export function listTree(root = ACTION, below = ''): readonly string[] {
  const entries = readdirSync(join(root, below), { withFileTypes: true });
  return entries
    .filter(({ name }) => !IGNORED.includes(name))
    .flatMap((entry) => {
      const path = `${below}${entry.name}`;
      return entry.isDirectory() ? listTree(root, `${path}/`) : path;
    });
}

/** The names that action.yml declares, sorted. */
export function listDeclared(section: 'inputs' | 'outputs'): string[] {
  return listNames(load(readText('action.yml')), section).toSorted();
}

/** The workflow that others call, and what its callers set. */
export const CALLED = readMembers(load(readText('.github', 'workflows', 'upload.yml')));
export const CALL = readPath(CALLED, 'on', 'workflow_call');

/** The jobs of the project's own workflows. */
export const JOBS: readonly Members[] = readdirSync(join(ACTION, '.github', 'workflows')).flatMap(
  (name) => listMembers(load(readText('.github', 'workflows', name)), 'jobs'),
);
