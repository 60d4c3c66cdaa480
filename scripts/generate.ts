// Writes the README's tables, and the names and defaults that the code reads, from action.yml.
import { readFileSync, writeFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { format, resolveConfig } from 'prettier';

interface Declaration {
  readonly name: string;
  readonly description: string;
  /** Empty where there is none, as in the runner. */
  readonly fallback: string;
}

const README = 'README.md';
const DECLARED = 'src/inputs/declared.ts';

const action: unknown = load(readFileSync('action.yml', 'utf8'));
const inputs = readDeclarations(action, 'inputs');
const outputs = readDeclarations(action, 'outputs');

const readme = [
  ['inputs', makeInputTable(inputs)],
  ['outputs', makeOutputTable(outputs)],
] as const;
await write(README, replaceTables(readFileSync(README, 'utf8'), readme));
await write(DECLARED, makeModule(inputs));

async function write(path: string, text: string): Promise<void> {
  const style = await resolveConfig(path);
  writeFileSync(path, await format(text, { ...style, filepath: path }));
}

function makeInputTable(declarations: readonly Declaration[]): string {
  const rows = declarations.map(({ name, fallback, description }) => {
    const shown = fallback === '' ? '' : `\`${fallback}\``;
    return `| \`${name}\` | ${shown} | ${description} |`;
  });
  return ['| input | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function makeOutputTable(declarations: readonly Declaration[]): string {
  const rows = declarations.map(({ name, description }) => `| \`${name}\` | ${description} |`);
  return ['| output | meaning |', '| --- | --- |', ...rows].join('\n');
}

/** Each table stands between two comments that name it. */
function replaceTables(text: string, tables: readonly (readonly [string, string])[]): string {
  return tables.reduce((whole, [name, table]) => {
    const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
    const [before, rest] = whole.split(begin);
    const [, after] = rest?.split(end) ?? [];
    if (before === undefined || after === undefined) throw new Error(`${README} has no ${begin}`);
    return `${before}${begin}\n\n${table}\n\n${end}${after}`;
  }, text);
}

function makeModule(declarations: readonly Declaration[]): string {
  const members = declarations.map(
    ({ name, fallback, description }) =>
      `/** ${description} */\n'${name}': ${JSON.stringify(fallback)},`,
  );
  return [
    '// Written from action.yml by `npm run generate`.',
    '',
    '/** The inputs and their defaults, which also stand for an empty string. */',
    `export const DECLARED = {\n${members.join('\n')}\n} as const;`,
    '',
    '/** The name of an input. */',
    'export type InputName = keyof typeof DECLARED;',
    '',
  ].join('\n');
}

function readDeclarations(document: unknown, section: string): readonly Declaration[] {
  return Object.entries(readMembers(readMembers(document)[section])).map(([name, value]) => {
    const { description, default: fallback = '' } = readMembers(value);
    if (typeof description !== 'string' || typeof fallback !== 'string') {
      throw new TypeError(
        `action.yml: ${section}.${name} has no description, or a default that is no text`,
      );
    }
    return { name, description, fallback };
  });
}

function readMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
