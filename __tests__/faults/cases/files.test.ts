import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { makeFolder } from '../../support/directories.ts';
import { findElements, renderMarkdown } from '../../support/github-markdown.ts';
import { MIB, REPORT } from '../../support/samples.ts';
import { ACCEPTED, INVALID, NOT_SENT, large, whole } from '../harness/case.ts';
import type { CaseScript, FaultCase, Scene } from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';
import { MARKER } from '../harness/secrets.ts';

/** A time of whole seconds, which can be put back exactly. */
const TIME = 1_000_000_000;
const CHANGED = { ...NOT_SENT, reason: 'files' } as const;

/** Writes in place from a byte on, and puts the modification time back, as `rsync --inplace -t` does. */
function overwrite(scene: Scene, position: number): void {
  const path = scene.path('scan.json');
  const file = openSync(path, 'r+');
  writeSync(file, 'y', position);
  closeSync(file);
  utimesSync(path, TIME, TIME);
}

/** Reads a little, changes the files, and then reads the rest. */
function meanwhile(act: (scene: Scene) => void): CaseScript {
  return async (peer, scene) => {
    await peer.readHeadAndContinue();
    await peer.readBytes(64 * 1024);
    peer.socket.pause();
    act(scene);
    peer.socket.resume();
    await peer.readRequest();
    peer.reply(200);
  };
}

function replace(path: string): void {
  unlinkSync(path);
  writeFileSync(path, 'another');
}

/** Files that change while they are being sent. */
runCases([
  {
    name: 'the file shrinks while it is being sent',
    files: large,
    serve: meanwhile((scene) => truncateSync(scene.path('scan.json'), MIB)),
    expected: CHANGED,
  },
  {
    name: 'the file is overwritten while it is being sent, with its modification time put back',
    transports: ['https'],
    files: whole,
    prepare: (scene) => utimesSync(scene.path('scan.json'), TIME, TIME),
    // Bytes that are not sent yet: what is sent is what is in the file at the end.
    serve: meanwhile((scene) => overwrite(scene, 15 * MIB)),
    expected: CHANGED,
  },
  {
    name: 'a file that was inspected whole is replaced while it is being sent',
    transports: ['https'],
    files: whole,
    posixOnly: true,
    serve: meanwhile((scene) => replace(scene.path('scan.json'))),
    expected: { ...ACCEPTED, attempts: 1 },
  },
  {
    name: 'a file that was inspected in part is removed while it is being sent',
    files: large,
    posixOnly: true,
    serve: meanwhile((scene) => unlinkSync(scene.path('scan.json'))),
    expected: CHANGED,
  },
]);

/** A file that cannot be sent ends the step before anything is connected. */
function unusable(
  name: string,
  prepare: NonNullable<FaultCase['prepare']>,
  input: Readonly<Record<string, string>> = { 'scan-file': 'bad.json' },
): FaultCase {
  return {
    name,
    posixOnly: true,
    prepare,
    inputs: () => input,
    expected: { ...INVALID, reason: 'files' },
  };
}

/** Paths that are not readable files, and hostile files in a pull request. */
runCases([
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
]);

/** They stand for themselves below a directory that is named, so that no pattern has to spell them. */
const REFUSED: readonly string[] = [
  `scan\r\nContent-Type: ${MARKER}\n::error::${MARKER}.json`,
  `:\u200b:error::${MARKER}\u2028##[error]${MARKER}\u001b[31m\u202enosj.json`,
  'etc\\scan.json',
];

const SENT: readonly string[] = [
  `x"; filename="${MARKER} %0d%0a;name=ScanKey.json`,
  `::set-output name=${MARKER}::größe-扫描-🔍 ${'n'.repeat(150)}.json`,
  `##[error]${MARKER}|<img src=x>![${MARKER}](x)|.json`,
];

function makeCase(name: string, rest: Pick<FaultCase, 'expected' | 'check'>): FaultCase {
  const filename = name.replaceAll('"', '%22');
  return {
    name: `a file with the name ${JSON.stringify(name).slice(0, 70)}`,
    posixOnly: true,
    files: () => ({ [`scans/${name}`]: REPORT }),
    sent: { path: `scans/${name}`, filename },
    inputs: () => ({ 'scan-file': 'scans' }),
    ...rest,
  };
}

/** Names that could end a header or start a command. */
runCases([
  ...REFUSED.map((name) =>
    makeCase(name, {
      expected: { ...INVALID, reason: 'files' },
    }),
  ),
  ...SENT.map((name) =>
    makeCase(name, {
      expected: ACCEPTED,
      check: (_scene, { summary }) =>
        findElements(renderMarkdown(summary), 'img', 'a', '<').map(
          (element) => `markup of the name in the summary: ${element.name}`,
        ),
    }),
  ),
]);
