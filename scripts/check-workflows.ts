// Lints the examples and the project's own workflows, or the files that are named: with actionlint,
// and against action.yml. Prints file:line:column: message for each fault.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkActionUses, readInterface } from './workflows/action-uses.ts';
import { runActionlint } from './workflows/actionlint.ts';

const WORKFLOWS = ['examples/*.{yml,yaml}', '.github/workflows/*.{yml,yaml}'];

const action = readInterface(readFileSync(join(import.meta.dirname, '..', 'action.yml'), 'utf8'));
const named = process.argv.slice(2);
const files = (named.length > 0 ? named : globSync(WORKFLOWS)).map((file) =>
  file.replaceAll('\\', '/'),
);
let faults = 0;
for (const file of files.toSorted()) {
  const source = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  const findings = [...(await runActionlint(source, file)), ...checkActionUses(source, action)];
  faults += findings.length;
  for (const { line, column, message } of findings) {
    console.log(`${file}:${line}:${column}: ${message}`);
  }
}
console.log(`${files.length} workflows, ${faults} faults`);
// A check of nothing would pass for ever.
if (faults > 0 || files.length === 0) process.exitCode = 1;
