import { Ajv2020 } from 'ajv/dist/2020.js';
import type { AnySchemaObject } from 'ajv/dist/2020.js';
import { readMembers, readText } from './workflows.ts';

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
