import { describe, expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { makeCertificate } from '../support/certificates.ts';
import { runAction } from '../support/run-action.ts';
import { makeReply } from '../support/peer.ts';
import type { Peer } from '../support/peer.ts';
import { openServer } from '../support/raw-server.ts';
import { makeSparseWorkspace } from './support/sparse.ts';

const RUNS = 20;
/** Runs at the same time. */
const STEPS = 2;
const RUNS_MS = 180_000;
const FILE_BYTES = 200 * 1024 * 1024;
/** The most bytes of a file that is parsed. */
const PARSED_BYTES = 32 * 1024 * 1024;
const PART_BYTES = 64 * 1024;
const MOST_BYTES = 2 * 1024 * 1024;

const DETAILS: Readonly<Record<number, string>> = {
  401: 'The token has expired.',
  413: 'The scan is larger than 100 MB.',
};

const ENDINGS = {
  RST: (peer: Peer, reply: Buffer) => {
    peer.socket.write(reply, () => peer.reset());
  },
  FIN: (peer: Peer, reply: Buffer) => {
    peer.socket.end(reply);
  },
};

type Ending = keyof typeof ENDINGS;

function makeRefusal(status: number): Buffer {
  const body = JSON.stringify({ title: 'Refused', status, detail: DETAILS[status] });
  return makeReply(status, { headers: { 'Content-Type': 'application/problem+json' }, body });
}

/** What a run reported about the refusal, and whether a byte of the body had been sent. */
function describeRun({ exitCode, outputs, annotations, commands }: StepRun): string {
  const errors = annotations.filter(({ level }) => level === 'error');
  const phases = commands.filter(({ data }) => data.startsWith('Phases: '));
  const isSent = phases.length !== 1 || phases.some(({ data }) => data.includes('sending at'));
  const detail = errors.map(({ message }) => message.split('\n')[0]).join(' | ');
  const said = `exit ${exitCode}, ${outputs.result} ${outputs['status-code']}`;
  return `${said} (${outputs.error}), ${detail}${isSent ? ', and sent the body' : ''}`;
}

/** Runs the action many times without retries, and describes each run. */
async function runMany(
  workspace: string,
  inputs: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const reported: string[] = [];
  let started = 0;
  const work = async (): Promise<void> => {
    while (started < RUNS) {
      started += 1;
      const all = { ...inputs, retries: '0' };
      reported.push(describeRun(await runAction(workspace, all, { env: { RUNNER_DEBUG: '1' } })));
    }
  };
  await Promise.all(Array.from({ length: STEPS }, work));
  return reported;
}

describe('a refusal of the head of an upload of 200 MB', () => {
  test.each<[number, Ending]>([
    [401, 'RST'],
    [413, 'RST'],
    [401, 'FIN'],
    [413, 'FIN'],
  ])(
    `%i, %s: is reported in ${RUNS} of ${RUNS} runs, and next to nothing is sent`,
    async (status, ending) => {
      const server = await openServer(async (peer) => {
        await peer.readHead();
        ENDINGS[ending](peer, makeRefusal(status));
      });
      const workspace = await makeSparseWorkspace(FILE_BYTES);
      const reported = await runMany(workspace, { 'base-url': server.origin });
      const text = status === 401 ? 'HTTP 401 Unauthorized: ' : '';
      const detail = `${text}${DETAILS[status]}`;
      expect([...new Set(reported)]).toEqual([`exit 1, rejected ${status} (${detail}), ${detail}`]);
      expect(reported).toHaveLength(RUNS);
      expect(Math.max(...server.peers.map(({ size }) => size))).toBeLessThan(MOST_BYTES);
    },
    RUNS_MS,
  );
});

describe('a refusal in the middle of an upload, whose rest is left unread', () => {
  test.each(['http', 'https'])(
    `is reported in ${RUNS} of ${RUNS} runs over %s`,
    async (scheme) => {
      const certificate = makeCertificate();
      const server = await openServer(
        async (peer) => {
          await peer.readHeadAndContinue();
          await peer.readBytes(PART_BYTES);
          peer.socket.pause();
          peer.socket.write(makeRefusal(413), () => peer.reset());
        },
        scheme === 'https' ? certificate : undefined,
      );
      const inputs = { 'base-url': server.origin, 'ca-cert': certificate.cert };
      const reported = await runMany(await makeSparseWorkspace(PARSED_BYTES + 1), inputs);
      expect(new Set(reported)).toEqual(
        new Set([`exit 1, rejected 413 (${DETAILS[413]}), ${DETAILS[413]}, and sent the body`]),
      );
    },
    RUNS_MS,
  );
});
