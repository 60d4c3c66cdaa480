import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { makeFolder } from '../../support/directories.ts';
import { REPORT } from '../../support/samples.ts';
import { ACCEPTED, INVALID } from '../harness/case-scripts.ts';
import type { FaultCase } from '../harness/types.ts';

/** A file that cannot be sent ends the step before anything is connected. */
function unusable(
  name: string,
  prepare: NonNullable<FaultCase['prepare']>,
  input: Readonly<Record<string, string>> = { 'scan-file': 'bad.json' },
): FaultCase {
  return {
    name,
    transports: ['http'],
    posixOnly: true,
    prepare,
    inputs: () => input,
    expected: { ...INVALID, reason: 'files' },
  };
}

/** Paths that are not readable files. */
const UNUSABLE: readonly FaultCase[] = [
  unusable('a link that leads nowhere', (scene) =>
    symlinkSync('nowhere.json', scene.path('bad.json')),
  ),
  // The administrator of a machine can read every file.
  ...(process.getuid?.() === 0
    ? []
    : [
        unusable('a file that may not be read', (scene) =>
          writeFileSync(scene.path('bad.json'), REPORT, { mode: 0 }),
        ),
      ]),
  unusable('an empty directory', (scene) => mkdirSync(scene.path('bad.json'))),
  unusable('a FIFO that nobody writes to', (scene) => {
    execFileSync('mkfifo', [scene.path('bad.json')]);
  }),
  unusable('a link to a device that never ends', (scene) =>
    symlinkSync('/dev/zero', scene.path('bad.json')),
  ),
];

/** Hostile files in a pull request. */
const PLANTED: readonly FaultCase[] = [
  unusable(
    'a linked directory outside the workspace, found by a pattern',
    async (scene) => {
      const outside = await makeFolder({ 'secret.json': REPORT }, scene.scope);
      symlinkSync(outside, scene.path('linked'));
    },
    { files: 'linked/**/*.json' },
  ),
  unusable("a link to the repository's own hidden configuration", (scene) => {
    mkdirSync(scene.path('.git'));
    writeFileSync(scene.path('.git/config'), REPORT);
    symlinkSync('.git/config', scene.path('bad.json'));
  }),
  {
    name: 'hidden files beside the one that a wide pattern means',
    transports: ['http'],
    files: () => ({
      'scan.json': REPORT,
      '.env': 'A=b',
      '.git/config': '[core]',
      '.x/y.json': '{}',
    }),
    inputs: () => ({ files: '**/*' }),
    expected: ACCEPTED,
  },
];

export const UNUSABLE_FILES: readonly FaultCase[] = [...UNUSABLE, ...PLANTED];
