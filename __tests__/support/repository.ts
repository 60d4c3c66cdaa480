import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { AnySchemaObject } from 'ajv/dist/2020.js';
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

/** The schemas in `schemas/`, checked against JSON Schema 2020-12 when they are compiled. */
const SCHEMAS = new Map(['scans', 'results'].map((name) => [name, readSchema(name)] as const));
const AJV = new Ajv2020({
  schemas: [...SCHEMAS.values()],
  strict: true,
  allowUnionTypes: true,
  // Some `$defs` have no type: the schema that refers to them sets it.
  strictTypes: false,
  // Of a list of patterns only the first item has a rule of its own.
  strictTuples: false,
});

function readSchema(name: string): AnySchemaObject {
  return readMembers(JSON.parse(readText('schemas', `${name}.schema.json`)));
}

/** The value at a path in a schema; undefined if there is none. */
export function readAt(name: string, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => readMembers(value)[key], SCHEMAS.get(name));
}

/** Why a value does not match a schema; undefined if it does. */
export function findViolation(name: string, value: unknown): string | undefined {
  const id = String(readAt(name, ['$id']));
  const validate = AJV.getSchema(id);
  if (validate === undefined) throw new Error(`There is no schema ${id}.`);
  return validate(value) === true ? undefined : AJV.errorsText(validate.errors);
}
