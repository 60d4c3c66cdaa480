import type { FaultCase } from '../harness/types.ts';
import { MIB, makeReport } from './files.ts';

const SIGNALS = [
  { signal: 'SIGINT', exitCode: 130 },
  { signal: 'SIGTERM', exitCode: 143 },
] as const;

/** F27: the runner asks the step to stop. */
export const STOPPING: readonly FaultCase[] = SIGNALS.flatMap(
  ({ signal, exitCode }): FaultCase[] => [
    {
      row: 'F27',
      variant: `${signal} while the files are being sent`,
      posixOnly: true,
      killSignal: signal,
      files: () => ({ 'scan.json': makeReport(33 * MIB) }),
      serve: async (peer, scene) => {
        await peer.readHeadAndContinue();
        await peer.readBytes(MIB);
        peer.socket.pause();
        scene.cancel();
      },
      expected: { result: 'not-sent', exitCode, attempts: '1', says: /cancelled; not uploaded/ },
    },
    {
      row: 'F27',
      variant: `${signal} while the answer is awaited`,
      posixOnly: true,
      killSignal: signal,
      serve: async (peer, scene) => {
        await peer.readUpload();
        scene.cancel();
      },
      expected: { result: 'unconfirmed', exitCode, attempts: '1', says: /cancelled; unconfirmed/ },
    },
    {
      row: 'F27',
      variant: `${signal} between two attempts`,
      transports: ['http'],
      posixOnly: true,
      killSignal: signal,
      inputs: () => ({ retries: '3' }),
      serve: async (peer) => {
        await peer.readUpload();
        peer.reply(503);
      },
      onLine: (line, scene) => {
        if (line.startsWith('Waiting ')) scene.cancel();
      },
      expected: { result: 'rejected', exitCode, attempts: '1', says: /cancelled; not uploaded/ },
    },
    {
      row: 'F27',
      variant: `${signal} while connecting`,
      transports: ['https'],
      posixOnly: true,
      killSignal: signal,
      wire: 'tcp',
      serve: async (peer, scene) => {
        await peer.readBytes(1);
        scene.cancel();
      },
      expected: { result: 'not-sent', exitCode, attempts: '1', says: /cancelled; not uploaded/ },
    },
  ],
);
