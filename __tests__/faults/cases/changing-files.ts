import {
  appendFileSync,
  closeSync,
  openSync,
  renameSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { MIB, SBOM } from '../../support/samples.ts';
import { ACCEPTED, NOT_SENT } from '../harness/case-scripts.ts';
import { large, whole } from '../harness/reports.ts';
import type { Scene } from '../harness/scene.ts';
import type { CaseScript, FaultCase } from '../harness/types.ts';

/** A time of whole seconds, which can be put back exactly. */
const TIME = 1_000_000_000;
const REFUSED = { ...NOT_SENT, reason: 'files' } as const;

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
export const CHANGING_FILES: readonly FaultCase[] = [
  {
    name: 'the file shrinks while it is being sent',
    files: large,
    serve: meanwhile((scene) => truncateSync(scene.path('scan.json'), MIB)),
    expected: REFUSED,
  },
  {
    name: 'the file grows while it is being sent',
    files: large,
    serve: meanwhile((scene) => appendFileSync(scene.path('scan.json'), 'x'.repeat(1000))),
    expected: REFUSED,
  },
  {
    name: 'the file is overwritten while it is being sent, with its modification time put back',
    files: whole,
    prepare: (scene) => utimesSync(scene.path('scan.json'), TIME, TIME),
    // Bytes that are not sent yet: what is sent is what is in the file at the end.
    serve: meanwhile((scene) => overwrite(scene, 15 * MIB)),
    expected: REFUSED,
  },
  {
    name: 'the first of two files is renamed while the second is being sent',
    files: () => ({ ...whole(), 'bom.json': SBOM }),
    sent: [
      { part: 'DependenciesCDX', path: 'bom.json' },
      { part: 'VulnerabilitiesTool', path: 'scan.json' },
    ],
    inputs: () => ({ 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'scan.json' }),
    posixOnly: true,
    serve: meanwhile((scene) => renameSync(scene.path('bom.json'), scene.path('old.json'))),
    expected: { ...ACCEPTED, attempts: 1 },
  },
  {
    name: 'a file that was inspected whole is replaced while it is being sent',
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
    expected: REFUSED,
  },
];
