import { availableMemory } from 'node:process';
import { prepare, sendByCurl, sendByFormData, sendByPeer, sendByStep } from '../contenders.ts';
import { OURS } from '../goals.ts';
import type { Sending } from '../contenders.ts';
import type { Contender, Line } from '../line.ts';
import { runWhole } from '../whole-process.ts';

const MEBIBYTES = 1024;
/** What a peer takes for such a file, with some room. */
const PEER_BYTES = 7 * 2 ** 30;

/** A large file over plain http, where the digest is what costs most. */
export const PLAIN: Line = {
  name: 'plain',
  title: '1 GiB over http',
  unit: 'ms',
  rounds: { min: 4, max: 7 },
  programs: ['curl', 'openssl'],
  room: { bytes: 2 ** 30 + 2 ** 28, files: 1000 },
  goals: [{ subject: OURS, kind: 'times', atMost: 1.9, of: ['curl', 'openssl'] }],
  prepare: async (stage) => {
    const path = stage.large(MEBIBYTES);
    const sending = { stage, path, service: await stage.service() };
    const isTight = availableMemory() < PEER_BYTES;
    return [
      sendByStep(sending),
      sendByCurl(sending),
      sendByCurl({ ...sending, service: await stage.discard() }, 'curl, discard'),
      digest(sending),
      sendByFormData(sending),
      sendByPeer(sending, true, isTight ? 'needs 7 GiB of free memory' : undefined),
    ];
  },
};

/** The same digest by openssl, which sends nothing. */
function digest(sending: Sending): Contender {
  const args = ['dgst', '-sha256', sending.path];
  const run = async (): Promise<number> => {
    const { command } = await prepare(sending);
    return (await runWhole({ ...command, file: 'openssl', args })).ms;
  };
  return { name: 'openssl', run };
}
