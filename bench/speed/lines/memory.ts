import { checkArrived, prepare } from '../contenders.ts';
import type { Sending } from '../contenders.ts';
import type { Contender, Goal, Line } from '../line.ts';
import { measurePeak } from '../peak.ts';

const BARE = 'bare';
const KIB_PER_MIB = 1024;

/** The peak of the step's memory, by the size of the file. */
export const MEMORY: Line = {
  name: 'memory',
  title: 'peak memory by file size',
  unit: 'KiB',
  rounds: { min: 3, max: 5 },
  programs: [],
  isLinuxOnly: true,
  room: { bytes: 2 ** 30 + 2 ** 28, files: 1000 },
  goals: [
    { subject: '10 MiB', kind: 'absolute', atMost: 120 * KIB_PER_MIB, of: [] },
    ...['64 MiB', '1 GiB', '4 GiB'].map(boundAboveBare),
    { subject: '4 GiB', kind: 'times', atMost: 1.05, of: ['64 MiB'] },
  ],
  prepare: async (stage) => {
    const paths = {
      '100 KB': stage.inventory(100_000),
      '10 MiB': stage.inventory(10 * 2 ** 20),
      '64 MiB': stage.large(64),
      '1 GiB': stage.large(1024),
      '4 GiB': stage.sparse(4096),
    };
    const service = await stage.service();
    const steps = Object.entries(paths).map(([name, path]) =>
      measureStep(name, { stage, service, path }),
    );
    return [measureBare({ stage, service, path: paths['100 KB'] }), ...steps];
  },
};

function boundAboveBare(subject: string): Goal {
  return { subject, kind: 'plus', atMost: 45 * KIB_PER_MIB, of: [BARE] };
}

function measureBare(sending: Sending): Contender {
  const run = async (): Promise<number> => {
    const { command } = await prepare(sending);
    return measurePeak(sending.stage.folder, { ...command, args: ['-e', '0'] });
  };
  return { name: BARE, run };
}

function measureStep(name: string, sending: Sending): Contender {
  const run = async (): Promise<number> => {
    const { command } = await prepare(sending);
    const peak = await measurePeak(sending.stage.folder, command);
    await checkArrived(sending);
    return peak;
  };
  return { name, isOurs: true, run };
}
