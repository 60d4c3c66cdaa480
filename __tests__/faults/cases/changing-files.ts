import { appendFileSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import type { Peer } from '../../support/peer.ts';
import type { Scene } from '../harness/scene.ts';
import type { FaultCase, ServeCase } from '../harness/types.ts';
import { MIB, makeReport } from './files.ts';
import { ACCEPTED, NOT_SENT } from '../harness/serve.ts';

const SBOM = JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  components: [{ type: 'library', name: 'left', version: '1.0.0' }],
});

const large = (): Record<string, Buffer> => ({ 'scan.json': makeReport(33 * MIB) });

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
    variant: 'the first of two files is written to while the second is being sent',
    files: () => ({ ...large(), 'bom.json': SBOM }),
    sent: [
      { part: 'DependenciesCDX', path: 'bom.json' },
      { part: 'VulnerabilitiesTool', path: 'scan.json' },
    ],
    inputs: () => ({ 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'scan.json' }),
    serve: meanwhile((scene) => writeFileSync(scene.path('bom.json'), SBOM)),
    expected: { ...NOT_SENT, says: /'bom\.json' was written to/ },
  },
  {
    row: 'F16',
    variant: 'the file is removed while it is being sent',
    files: large,
    posixOnly: true,
    serve: meanwhile((scene) => unlinkSync(scene.path('scan.json'))),
    expected: { ...ACCEPTED, attempts: '1' },
  },
  {
    row: 'F16',
    variant: 'the file is replaced while it is being sent',
    files: large,
    posixOnly: true,
    serve: meanwhile((scene) => {
      unlinkSync(scene.path('scan.json'));
      writeFileSync(scene.path('scan.json'), 'another');
    }),
    expected: { ...ACCEPTED, attempts: '1' },
  },
];
