import { UNCONFIRMED, afterPart, afterUpload } from '../harness/case-scripts.ts';
import { large } from '../harness/reports.ts';
import type { FaultCase } from '../harness/types.ts';

const CANCELLED = { ...UNCONFIRMED, reason: 'cancelled' } as const;

/** The runner asks the step to stop; `cancellation.test.ts` has every phase. */
export const STOPPING: readonly FaultCase[] = [
  {
    name: 'SIGINT while the files are being sent',
    posixOnly: true,
    killSignal: 'SIGINT',
    files: large,
    serve: afterPart((peer, scene) => {
      peer.socket.pause();
      scene.cancel();
    }),
    expected: { ...CANCELLED, result: 'not-sent', exitCode: 130 },
  },
  {
    name: 'SIGTERM while the response is awaited',
    posixOnly: true,
    killSignal: 'SIGTERM',
    serve: afterUpload((_peer, scene) => scene.cancel()),
    expected: { ...CANCELLED, exitCode: 143 },
  },
];
