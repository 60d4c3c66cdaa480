// Checks the examples and the project's own workflows, or the given files: with actionlint, and with
// zizmor where scripts/install-programs.sh installed it. --require-zizmor fails where it did not.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkWorkflows } from './workflow-checks.ts';

const options = { 'require-zizmor': { type: 'boolean' } } as const;
const { positionals, values } = parseArgs({ allowPositionals: true, options });
const isPassed = await checkWorkflows({
  directory: '.',
  names: positionals,
  requiresZizmor: values['require-zizmor'] === true,
  cache: process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  print: console.log,
});
if (!isPassed) process.exitCode = 1;
