import type { FaultCase } from '../harness/types.ts';
import { MIB, makeReport } from './files.ts';
import { afterPart, afterUpload } from '../harness/serve.ts';

const SIGNALS = [
  { signal: 'SIGINT', exitCode: 130 },
  { signal: 'SIGTERM', exitCode: 143 },
] as const;

/** F27: the runner asks the step to stop; `cancellation.test.ts` has every phase. */
export const STOPPING: readonly FaultCase[] = SIGNALS.flatMap(
  ({ signal, exitCode }): FaultCase[] => [
    {
      row: 'F27',
      variant: `${signal} while the files are being sent`,
      posixOnly: true,
      killSignal: signal,
      files: () => ({ 'scan.json': makeReport(33 * MIB) }),
      serve: afterPart((peer, scene) => {
        peer.socket.pause();
        scene.cancel();
      }),
      expected: {
        result: 'not-sent',
        exitCode,
        attempts: '1',
        says: /Cancelled: the scan was not uploaded./,
      },
    },
    {
      row: 'F27',
      variant: `${signal} while the response is awaited`,
      posixOnly: true,
      killSignal: signal,
      serve: afterUpload((_peer, scene) => scene.cancel()),
      expected: {
        result: 'unconfirmed',
        exitCode,
        attempts: '1',
        says: /Cancelled: the upload is unconfirmed./,
      },
    },
  ],
);
