// Checks the examples and the project's own workflows, or the given files: with actionlint, and with
// zizmor where scripts/install-programs.sh installed it. With REQUIRE_PROGRAMS=true it fails elsewhere.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { checkWorkflows } from './workflow-checks.ts';

const isPassed = await checkWorkflows({
  directory: '.',
  names: process.argv.slice(2),
  requiresZizmor: process.env.REQUIRE_PROGRAMS === 'true',
  cache: process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  print: console.log,
});
if (!isPassed) process.exitCode = 1;
