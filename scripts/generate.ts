// Writes the tables of README.md and docs/summary.md from action.yml, and those of docs/troubleshooting.md from src/.
import { readFileSync, writeFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { format, resolveConfig } from 'prettier';
import { makeMessageTable, makeReasonTable } from './message-tables.ts';

interface Declaration {
  readonly name: string;
  readonly description: string;
  /** Empty if there is none, as in the runner. */
  readonly fallback: string;
}

const source = readFileSync('action.yml', 'utf8');
const action: unknown = load(source);
const inputs = readDeclarations(action, 'inputs');
const outputs = readDeclarations(action, 'outputs');

await replace('README.md', [['inputs', makeInputTables(source, inputs)]]);
await replace('docs/summary.md', [['outputs', linkFromDocs(makeOutputTable(outputs))]]);
await replace('docs/troubleshooting.md', [
  ['messages', makeMessageTable()],
  ['reasons', makeReasonTable()],
]);

/** Replaces the tables of a document; each is between two comments with its name. */
async function replace(
  path: string,
  tables: readonly (readonly [string, string])[],
): Promise<void> {
  await write(path, replaceTables(path, readFileSync(path, 'utf8'), tables));
}

async function write(path: string, text: string): Promise<void> {
  const style = await resolveConfig(path);
  writeFileSync(path, await format(text, { ...style, filepath: path }));
}

/** A heading and a table for each group. */
function makeInputTables(yaml: string, declarations: readonly Declaration[]): string {
  const groups = readGroups(yaml);
  const headings = new Set(declarations.map(({ name }) => groups.get(name)));
  return [...headings]
    .map((heading) => {
      const members = declarations.filter(({ name }) => groups.get(name) === heading);
      if (heading === undefined) throw new Error(`action.yml: ${members[0]?.name} has no group`);
      return `### ${heading}\n\n${makeInputTable(members)}`;
    })
    .join('\n\n');
}

/** The group of each input: the last comment `# Group: ...` before it. */
function readGroups(yaml: string): ReadonlyMap<string, string> {
  const groups = new Map<string, string>();
  let group: string | undefined;
  for (const [, heading, name] of yaml.matchAll(/^ {2}(?:# Group: (.+)|([a-z-]+):)$/gm)) {
    group = heading ?? group;
    if (name !== undefined && group !== undefined && !groups.has(name)) groups.set(name, group);
  }
  return groups;
}

function makeInputTable(declarations: readonly Declaration[]): string {
  const rows = declarations.map(({ name, fallback, description }) => {
    const shown = fallback === '' ? '' : `\`${fallback}\``;
    return `| \`${name}\` | ${shown} | ${description} |`;
  });
  return ['| input | default | description |', '| --- | --- | --- |', ...rows].join('\n');
}

function makeOutputTable(declarations: readonly Declaration[]): string {
  const rows = declarations.map(({ name, description }) => `| \`${name}\` | ${description} |`);
  return ['| output | description |', '| --- | --- |', ...rows].join('\n');
}

/** Links of action.yml start at the repository's root. */
function linkFromDocs(table: string): string {
  return table.replaceAll('](docs/', '](');
}

function replaceTables(
  path: string,
  text: string,
  tables: readonly (readonly [string, string])[],
): string {
  return tables.reduce((whole, [name, table]) => {
    const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
    const [before, rest] = whole.split(begin);
    const [, after] = rest?.split(end) ?? [];
    if (before === undefined || after === undefined) throw new Error(`${path} has no ${begin}`);
    return `${before}${begin}\n\n${table}\n\n${end}${after}`;
  }, text);
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
