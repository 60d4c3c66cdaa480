import { prepare, sendByFloor, sendByPeer, sendByStep } from '../contenders.ts';
import { OURS } from '../goals.ts';
import type { Sending } from '../contenders.ts';
import type { Contender, Line } from '../line.ts';
import { runWhole } from '../whole-process.ts';

const FILE_BYTES = 100_000;

/** The whole step with a small file: what an upload costs that has next to nothing to send. */
export const SMALL: Line = {
  name: 'small',
  title: '100 KB over http',
  unit: 'ms',
  rounds: { min: 10, max: 40 },
  programs: [],
  room: { bytes: 2 ** 24, files: 1000 },
  goals: [
    { subject: OURS, kind: 'times', atMost: 2.2, of: ['floor'] },
    { subject: OURS, kind: 'times', atMost: 0.85, of: ['peer'] },
  ],
  prepare: async (stage) => {
    const path = stage.inventory(FILE_BYTES);
    const sending = { stage, path, service: await stage.service() };
    return [sendByStep(sending), sendByFloor(sending), startNode(sending), sendByPeer(sending)];
  },
};

/** Node that does nothing, for information. */
function startNode(sending: Sending): Contender {
  const run = async (): Promise<number> => {
    const { command } = await prepare(sending);
    return (await runWhole({ ...command, args: ['-e', '0'] })).ms;
  };
  return { name: 'bare', run };
}
