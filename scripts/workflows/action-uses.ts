// What actionlint cannot know: this action's own inputs and outputs, and how others are pinned.
import { findAt, listEntries, listItems, listScalars } from './tree.ts';
import { parseTree, readMember, readText } from './tree.ts';
import type { Entry, Finding, Scalar, Tree } from './tree.ts';

/** The name by which the examples call this action, from GitHub or by its whole address. */
const THIS_ACTION = /^(?:\.\/|(?:https:\/\/github\.com\/)?your-org\/scan-upload-action@\S+)$/;
const NEEDS_NO_PIN = /^(?:\.\/|docker:\/\/)/;
const FULL_COMMIT = /@[0-9a-f]{40}$/;
/** The version that a pin stands for, on the pin's line. */
const VERSION_COMMENT = /^['"]? # v\d/;
const OUTPUT = /\bsteps\.([\w-]+)\.outputs(?:\.([\w-]+)|\[\s*'([^']*)'\s*\])/g;

/** The names that an `action.yml` declares. */
export interface ActionInterface {
  readonly inputs: readonly string[];
  /** Those of the inputs without which the action does not run. */
  readonly required: readonly string[];
  readonly outputs: readonly string[];
}

/** Reads the text of an `action.yml`. Throws if it is not YAML. */
export function readInterface(source: string): ActionInterface {
  const action = parseTree(source);
  if (!('kind' in action)) throw new TypeError(`action.yml is ${action.message}`);
  const inputs = listEntries(readMember(action, 'inputs'));
  return {
    inputs: inputs.map(readName),
    required: inputs.filter(isRequired).map(readName),
    outputs: listEntries(readMember(action, 'outputs')).map(readName),
  };
}

function readName({ key }: Entry): string {
  return readText(key);
}

function isRequired({ value }: Entry): boolean {
  return readText(readMember(value, 'required')) === 'true';
}

/** Checks every step of a workflow that uses an action, and what is read of this action's outputs. */
export function checkActionUses(source: string, action: ActionInterface): readonly Finding[] {
  const workflow = parseTree(source);
  if (!('kind' in workflow)) return [workflow];
  return listEntries(readMember(workflow, 'jobs')).flatMap(({ value: job }) => {
    const steps = listItems(readMember(job, 'steps'));
    const own = steps.filter((step) => THIS_ACTION.test(readText(readMember(step, 'uses'))));
    const ids = own.map((step) => readText(readMember(step, 'id')));
    return [
      ...steps.flatMap((step) => checkPin(source, readMember(step, 'uses'))),
      ...own.flatMap((step) => checkInputs(source, step, action)),
      ...listScalars(job).flatMap((scalar) => checkOutputs(source, scalar, ids, action)),
    ];
  });
}

function checkPin(source: string, uses: Tree | undefined): readonly Finding[] {
  if (uses?.kind !== 'scalar' || NEEDS_NO_PIN.test(uses.value) || THIS_ACTION.test(uses.value)) {
    return [];
  }
  if (!FULL_COMMIT.test(uses.value)) {
    return [findAt(source, uses.start, `"${uses.value}" is not pinned to a full commit`)];
  }
  const rest = source.slice(uses.end).split('\n', 1)[0] ?? '';
  if (VERSION_COMMENT.test(rest)) return [];
  return [
    findAt(source, uses.end, `the pin of "${uses.value}" does not tell its version: # v1.2.3`),
  ];
}

function checkInputs(source: string, step: Tree, action: ActionInterface): readonly Finding[] {
  const uses = readMember(step, 'uses');
  const at = uses?.kind === 'scalar' ? uses.start : 0;
  const inputs = readMember(step, 'with');
  const isGiven = (name: string): boolean => readText(readMember(inputs, name)) !== '';
  const unknown = listEntries(inputs)
    .flatMap(({ key }) => (key.kind === 'scalar' ? [key] : []))
    .filter(({ value }) => !action.inputs.includes(value))
    .map(({ value, start }) => findAt(source, start, `action.yml has no input "${value}"`));
  const missing = action.required
    .filter((name) => !isGiven(name))
    .map((name) => findAt(source, at, `the required input "${name}" is missing`));
  const keys = ['scan-key', 'scans'].filter(isGiven);
  if (keys.length === 1) return [...unknown, ...missing];
  const message = `exactly one of scan-key and scans is needed, not ${keys.length}`;
  return [...unknown, ...missing, findAt(source, at, message)];
}

/** Looks at the source between the scalar's ends, so that a place in a block has its own line. */
function checkOutputs(
  source: string,
  scalar: Scalar,
  ids: readonly string[],
  action: ActionInterface,
): readonly Finding[] {
  const matches = [...source.slice(scalar.start, scalar.end).matchAll(OUTPUT)];
  return matches.flatMap(({ 1: id = '', 2: member, 3: quoted, index }) => {
    const name = member ?? quoted ?? '';
    if (!ids.includes(id) || action.outputs.includes(name)) return [];
    return [findAt(source, scalar.start + index, `action.yml has no output "${name}"`)];
  });
}
