import {
  appendFileSync,
  chmodSync,
  closeSync,
  openSync,
  renameSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import type { Peer } from '../../support/peer.ts';
import type { FaultCase, ServeCase } from '../harness/types.ts';
import { REPORT } from '../harness/scene.ts';
import type { Scene } from '../harness/scene.ts';
import { MIB, makeReport } from './files.ts';
import { ACCEPTED, NOT_SENT } from '../harness/serve.ts';

const SBOM = JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  components: [{ type: 'library', name: 'left', version: '1.0.0' }],
});

/** A file that is inspected in part. */
const large = (): Record<string, Buffer> => ({ 'scan.json': makeReport(33 * MIB) });
/** A file that is inspected whole, and still larger than the buffers of a connection. */
const whole = (): Record<string, Buffer> => ({ 'scan.json': makeReport(31 * MIB) });

/** A time of whole seconds, which can be put back exactly. */
const TIME = 1_000_000_000;

const setTime = (scene: Scene): void => utimesSync(scene.path('scan.json'), TIME, TIME);

/** Writes in place from a byte on, and puts the modification time back, as `rsync --inplace -t` does. */
function overwrite(scene: Scene, position: number): void {
  const path = scene.path('scan.json');
  const file = openSync(path, 'r+');
  writeSync(file, 'y', position);
  closeSync(file);
  utimesSync(path, TIME, TIME);
}

/** Two files, of which the first is small. */
const TWO: Pick<FaultCase, 'files' | 'sent' | 'inputs'> = {
  files: () => ({ ...large(), 'bom.json': SBOM }),
  sent: [
    { part: 'DependenciesCDX', path: 'bom.json' },
    { part: 'VulnerabilitiesTool', path: 'scan.json' },
  ],
  inputs: () => ({ 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'scan.json' }),
};

/** Reads a little, changes the files, and then reads the rest. */
function meanwhile(act: (scene: Scene) => void): ServeCase {
  return async (peer: Peer, scene: Scene) => {
    await peer.readHeadAndContinue();
    await peer.readBytes(64 * 1024);
    peer.socket.pause();
    act(scene);
    peer.socket.resume();
    await peer.readRequest();
    peer.reply(200);
  };
}

/** F13 to F16: files that change while they are being sent. */
export const CHANGING_FILES: readonly FaultCase[] = [
  {
    row: 'F13',
    variant: 'the file shrinks while it is being sent',
    files: large,
    serve: meanwhile((scene) => truncateSync(scene.path('scan.json'), MIB)),
    expected: { ...NOT_SENT, says: /became shorter/ },
  },
  {
    row: 'F14',
    variant: 'the file is emptied while it is being sent',
    files: large,
    serve: meanwhile((scene) => truncateSync(scene.path('scan.json'), 0)),
    expected: { ...NOT_SENT, says: /became shorter/ },
  },
  {
    row: 'F15',
    variant: 'the file grows while it is being sent',
    files: large,
    serve: meanwhile((scene) => appendFileSync(scene.path('scan.json'), 'x'.repeat(1000))),
    expected: { ...NOT_SENT, says: /changed its size/ },
  },
  {
    row: 'F15',
    variant: 'the file is written to in place while it is being sent',
    files: large,
    serve: meanwhile((scene) => {
      const path = scene.path('scan.json');
      writeFileSync(path, makeReport(33 * MIB).fill('y', 1000, 2000), { flag: 'r+' });
    }),
    expected: { ...NOT_SENT, says: /was written to/ },
  },
  {
    row: 'F15',
    variant: 'the file is overwritten while it is being sent, with its modification time put back',
    files: whole,
    prepare: setTime,
    // Bytes that are not sent yet: what is sent is what is in the file at the end.
    serve: meanwhile((scene) => overwrite(scene, 30 * MIB)),
    expected: { ...NOT_SENT, says: /was written to/ },
  },
  {
    row: 'F15',
    variant: 'the file is overwritten between two attempts, with its modification time put back',
    prepare: setTime,
    inputs: () => ({ retries: '1', 'timeout-seconds': '40' }),
    serve: async (peer, scene, turn) => {
      await peer.readRequest();
      if (turn === 1) overwrite(scene, REPORT.indexOf('2'));
      peer.reply(turn === 1 ? 503 : 200);
    },
    expected: { result: 'not-sent', status: '', attempts: '2', says: /was written to/ },
  },
  {
    ...TWO,
    row: 'F15',
    variant: 'the first of two files is written to while the second is being sent',
    serve: meanwhile((scene) => writeFileSync(scene.path('bom.json'), SBOM)),
    expected: { ...NOT_SENT, says: /'bom\.json' was written to/ },
  },
  {
    ...TWO,
    row: 'F16',
    variant: 'the first of two files is renamed while the second is being sent',
    files: () => ({ ...whole(), 'bom.json': SBOM }),
    posixOnly: true,
    serve: meanwhile((scene) => renameSync(scene.path('bom.json'), scene.path('old.json'))),
    expected: { ...ACCEPTED, attempts: '1' },
  },
  ...[
    { change: 'removed', act: (path: string): void => unlinkSync(path) },
    { change: 'renamed', act: (path: string): void => renameSync(path, `${path}.bak`) },
    { change: 'made read-only', act: (path: string): void => chmodSync(path, 0o400) },
    {
      change: 'replaced',
      act: (path: string): void => {
        unlinkSync(path);
        writeFileSync(path, 'another');
      },
    },
  ].flatMap(({ change, act }): readonly FaultCase[] => {
    const serve = meanwhile((scene) => act(scene.path('scan.json')));
    const variant = `is ${change} while it is being sent`;
    const common = { row: 'F16', posixOnly: true, serve };
    return [
      {
        ...common,
        variant: `a file that was inspected whole ${variant}`,
        files: whole,
        expected: { ...ACCEPTED, attempts: '1' },
      },
      {
        ...common,
        variant: `a file that was inspected in part ${variant}`,
        files: large,
        expected: { ...NOT_SENT, says: /Only a part of it was inspected/ },
      },
    ];
  }),
];
