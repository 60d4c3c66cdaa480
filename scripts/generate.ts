// Writes the tables of inputs and outputs from action.yml, and what is known of formats from src/. With --check it writes
// nothing, and fails if a page has other ones.
import { readFileSync, writeFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { format, resolveConfig } from 'prettier';
import { FORMATS } from '../src/formats/registry.ts';
import type { KnownFormat } from '../src/formats/registry.ts';

interface Declaration {
  readonly name: string;
  readonly description: string;
  /** Empty if there is none, as in the runner. */
  readonly fallback: string;
}

const isCheck = process.argv.includes('--check');
const source = readFileSync('action.yml', 'utf8');
const action: unknown = load(source);
const inputs = readDeclarations(action, 'inputs');
const outputs = readDeclarations(action, 'outputs');

await replace('README.md', 'inputs', makeInputTables(source, inputs));
await replace('README.md', 'outputs', makeOutputTable(outputs));
await replace('docs/inspection.md', 'formats', listFormats());
await replace('docs/inspection.md', 'statements', listStatements());

/** Replaces what a document has between the two comments with this name. */
async function replace(path: string, name: string, text: string): Promise<void> {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const page = readFileSync(path, 'utf8');
  const [before, rest] = page.split(begin);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined) throw new Error(`${path} has no ${begin}`);
  const whole = `${before}${begin}\n\n${text}\n\n${end}${after}`;
  const formatted = await format(whole, { ...(await resolveConfig(path)), filepath: path });
  if (!isCheck) writeFileSync(path, formatted);
  else if (formatted !== page) {
    console.error(`${path} has other ${name}: run npm run generate, and commit it.`);
    process.exitCode = 1;
  }
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
    const shown = fallback === '' ? '' : ` (\`${fallback}\`)`;
    return `| \`${name}\`${shown} | ${description} |`;
  });
  return ['| input (default) | description |', '| --- | --- |', ...rows].join('\n');
}

function makeOutputTable(declarations: readonly Declaration[]): string {
  const rows = declarations.map(({ name, description }) => `| \`${name}\` | ${description} |`);
  return ['| output | description |', '| --- | --- |', ...rows].join('\n');
}

/** The names of all formats, and which of them are recognised in JSON and in XML. */
function listFormats(): string {
  const names = FORMATS.map(({ label, xml }) =>
    xml === undefined ? label : `${label} (also XML)`,
  );
  return `${names.join(', ')}.`;
}

/** Which formats have a column for errors of their scan, which for what was scanned, and which none for severities. */
function listStatements(): string {
  const both = listLabels(({ errors, read }) => errors !== undefined && read !== undefined);
  const onlyErrors = listLabels(({ errors, read }) => errors !== undefined && read === undefined);
  const onlyRead = listLabels(({ errors, read }) => errors === undefined && read !== undefined);
  return [
    `- errors, and whether anything was scanned, of ${both};`,
    `- only errors of ${onlyErrors};`,
    `- only whether anything was scanned of ${onlyRead}.`,
    `\nNo severities (\`null\`, unless one is known): ${listLabels(({ isUnrated }) => isUnrated === true)}.`,
  ].join('\n');
}

function listLabels(isListed: (format: KnownFormat) => boolean): string {
  return FORMATS.filter(isListed)
    .map(({ label }) => label)
    .join(', ');
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
