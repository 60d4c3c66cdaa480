import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { REPORT } from '../harness/scene.ts';
import type { Scene } from '../harness/scene.ts';
import { makeFolder } from '../../support/directories.ts';
import type { FaultCase } from '../harness/types.ts';
import { ACCEPTED } from '../harness/serve.ts';

interface Unusable {
  readonly row: string;
  readonly variant: string;
  readonly says: RegExp;
  readonly prepare?: (scene: Scene) => Promise<void> | void;
  readonly input?: Readonly<Record<string, string>>;
}

/** A file that cannot be sent ends the step before anything is connected. */
function unusable({ row, variant, says, prepare, input }: Unusable): FaultCase {
  return {
    row,
    variant,
    transports: ['http'],
    posixOnly: true,
    ...(prepare !== undefined && { prepare }),
    inputs: () => input ?? { 'scan-file': 'bad.json' },
    expected: { result: 'not-sent', status: '', attempts: '0', says, connections: 0 },
  };
}

/** F17 and F18: paths that are not readable files. */
const UNUSABLE: readonly FaultCase[] = [
  unusable({ row: 'F17', variant: 'no such file', says: /no file matches 'bad\.json'/ }),
  unusable({
    row: 'F17',
    variant: 'a link that leads nowhere',
    prepare: (scene) => symlinkSync('nowhere.json', scene.path('bad.json')),
    says: /bad\.json/,
  }),
  unusable({
    row: 'F17',
    variant: 'a link that leads to itself',
    prepare: (scene) => symlinkSync('bad.json', scene.path('bad.json')),
    says: /bad\.json/,
  }),
  // The administrator of a machine can read every file.
  ...(process.getuid?.() === 0
    ? []
    : [
        unusable({
          row: 'F17',
          variant: 'a file that may not be read',
          prepare: async (scene) => {
            writeFileSync(scene.path('bad.json'), REPORT);
            await chmod(scene.path('bad.json'), 0);
          },
          says: /EACCES/,
        }),
      ]),
  unusable({
    row: 'F18',
    variant: 'an empty directory',
    prepare: (scene) => mkdirSync(scene.path('bad.json')),
    says: /bad\.json/,
  }),
  unusable({
    row: 'F18',
    variant: 'a FIFO that nobody writes to',
    prepare: (scene) => {
      execFileSync('mkfifo', [scene.path('bad.json')]);
    },
    says: /not a regular file/,
  }),
  unusable({
    row: 'F18',
    variant: 'a link to a device that never ends',
    prepare: (scene) => symlinkSync('/dev/zero', scene.path('bad.json')),
    says: /not a regular file|outside the workspace/,
  }),
];

/** S9: hostile files in a pull request. */
const PLANTED: readonly FaultCase[] = [
  unusable({
    row: 'S9',
    variant: 'a link out of the workspace',
    prepare: async (scene) => {
      const outside = join(await makeFolder({}, scene.scope), 'secret.json');
      writeFileSync(outside, REPORT);
      symlinkSync(outside, scene.path('bad.json'));
    },
    says: /outside the workspace/,
  }),
  unusable({
    row: 'S9',
    variant: 'a linked directory outside the workspace, found by a pattern',
    prepare: async (scene) => {
      const outside = await makeFolder({}, scene.scope);
      writeFileSync(join(outside, 'secret.json'), REPORT);
      symlinkSync(outside, scene.path('linked'));
    },
    input: { files: 'linked/**/*.json' },
    says: /outside the workspace/,
  }),
  unusable({
    row: 'S9',
    variant: "a link to the repository's own hidden configuration",
    prepare: (scene) => {
      mkdirSync(scene.path('.git'));
      writeFileSync(scene.path('.git/config'), REPORT);
      symlinkSync('.git/config', scene.path('bad.json'));
    },
    says: /hidden/,
  }),
  {
    row: 'S9',
    variant: 'hidden files beside the one that a wide pattern means',
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
