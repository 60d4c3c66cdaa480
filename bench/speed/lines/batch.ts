import { DECLARED } from '../../../src/inputs/declared.ts';
import {
  MAX_PARALLEL,
  prepareBatch,
  runBatch,
  sendBatchByCurl,
  sendBatchByFloor,
  sendBatchByStep,
  sendOneByOne,
} from '../batch.ts';
import type { Batch } from '../batch.ts';
import { OURS } from '../goals.ts';
import type { Contender, Goal, Line } from '../line.ts';
import { measurePeak } from '../peak.ts';
import type { Service } from '../service.ts';
import type { Stage } from '../stage.ts';

const COUNT = 1000;
const LATENCY_MS = 50;
const FEW = '10 scans';
const MANY = '1,000 scans';
const ROOM = { bytes: 2 ** 27, files: COUNT + 1000 };

/** At least `times` as fast as a step for each scan, one after another. */
function beatSingles(times: number): Goal {
  return { subject: OURS, kind: 'times', atMost: 1 / times, of: ['scaled singles'] };
}

/** Many small files in one step, where each upload's own cost is what counts. */
export const BATCH: Line = {
  name: 'batch',
  title: '1,000 scans of 20 KB in one step, over https',
  unit: 'ms',
  rounds: { min: 5, max: 5 },
  programs: ['curl', 'openssl'],
  room: ROOM,
  goals: [beatSingles(40)],
  prepare: async (stage) => {
    const batch = await makeBatch(stage, await stage.secureService(), COUNT);
    return [
      sendBatchByStep(batch),
      { ...sendBatchByDefault(batch), isOnce: true },
      sendBatchByCurl(batch),
      sendBatchByFloor(batch),
      sendOneByOne(batch, 4),
    ];
  },
};

/** The same with a service some way off, where waiting for answers is what counts. */
export const DISTANT: Line = {
  name: 'distant',
  title: '1,000 scans of 20 KB in one step, 50 ms for each answer',
  unit: 'ms',
  rounds: { min: 2, max: 2 },
  programs: ['curl', 'openssl'],
  room: ROOM,
  goals: [beatSingles(20)],
  prepare: async (stage) => {
    const batch = await makeBatch(stage, await stage.distantService(LATENCY_MS), COUNT);
    return [sendBatchByStep(batch), sendBatchByCurl(batch), sendOneByOne(batch, 10)];
  },
};

/** Whether the step's memory grows with the number of scans. */
export const SCANS_MEMORY: Line = {
  name: 'scans',
  title: 'peak memory by number of scans in one step',
  unit: 'KiB',
  rounds: { min: 3, max: 3 },
  programs: ['openssl'],
  isLinuxOnly: true,
  room: ROOM,
  goals: [],
  prepare: async (stage) => {
    const service = await stage.secureService();
    return [
      measureBatch(FEW, await makeBatch(stage, service, 10)),
      measureBatch(MANY, await makeBatch(stage, service, COUNT)),
    ];
  },
};

async function makeBatch(stage: Stage, service: Service, count: number): Promise<Batch> {
  const { cert: ca } = await stage.keyPair();
  return { stage, service, ca, scans: stage.scans(count) };
}

/** As many in parallel as where `max-parallel` is not set. */
function sendBatchByDefault(batch: Batch): Contender {
  const { 'max-parallel': maxParallel } = DECLARED;
  return sendBatchByStep(batch, `ours, ${maxParallel} at once`, Number(maxParallel));
}

function measureBatch(name: string, batch: Batch): Contender {
  const { folder } = batch.stage;
  const run = async (): Promise<number> => {
    const step = await prepareBatch(batch, MAX_PARALLEL);
    return runBatch(batch, step, ({ command }) => measurePeak(folder, command));
  };
  return { name, isOurs: true, run };
}
