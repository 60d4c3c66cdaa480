import { describe, expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { makeCertificate } from '../support/certificates.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { makeReply } from '../support/peer.ts';
import type { Peer } from '../support/peer.ts';
import { openServer } from '../support/raw-server.ts';
import { makeSparseWorkspace } from './support/sparse.ts';

/** At the same time. */
const RUNS = 3;
const RUNS_MS = 180_000;
const FILE_BYTES = 200 * 1024 * 1024;
/** The most bytes of a file that is parsed. */
const PARSED_BYTES = 32 * 1024 * 1024;
const PART_BYTES = 64 * 1024;
const MOST_BYTES = 2 * 1024 * 1024;

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
  const body = JSON.stringify({ title: 'Refused', status, detail: 'No.' });
  return makeReply(status, { headers: { 'Content-Type': 'application/problem+json' }, body });
}

/** Result and reason of a run, whether it had the whole refusal, and whether a byte of the body was sent. */
function describeRun({ exitCode, outputs, annotations, stdout }: StepRun): string {
  const titles = annotations.map(({ level, title }) => `${level}: ${title}`);
  const isSent = /^Sending /m.test(stdout);
  const said = `exit ${exitCode}, ${outputs.result}, ${outputs.reason}, ${titles.join()}`;
  const isCut = outputs['problem-details'] === '';
  return `${said}${isCut ? ', without the problem' : ''}${isSent ? ', and sent the body' : ''}`;
}

/** Runs the action several times without retries, and returns the different descriptions. */
async function runAll(
  workspace: string,
  inputs: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const all = { ...inputs, retries: '0' };
  const runs = Array.from({ length: RUNS }, () => runAction(workspace, all));
  return [...new Set((await Promise.all(runs)).map(describeRun))];
}

describe('a refusal of the head of an upload of 200 MB', () => {
  test.each<[number, Ending, string]>([
    [401, 'FIN', 'credentials'],
    [413, 'RST', 'too-large'],
  ])(
    `%i, %s: is reported in ${RUNS} of ${RUNS} runs, and next to nothing is sent`,
    async (status, ending, reason) => {
      const server = await openServer(async (peer) => {
        await peer.readHead();
        ENDINGS[ending](peer, makeRefusal(status));
      });
      const workspace = await makeSparseWorkspace(FILE_BYTES);
      const reported = await runAll(workspace, { 'base-url': server.origin });
      const title = `error: Scan upload rejected (${status})`;
      expect(reported).toEqual([`exit 1, rejected, ${reason}, ${title}`]);
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
      const workspace = await makeSparseWorkspace(PARSED_BYTES + 1);
      expect(await runAll(workspace, inputs)).toEqual([
        'exit 1, rejected, too-large, error: Scan upload rejected (413), and sent the body',
      ]);
    },
    RUNS_MS,
  );
});

describe('a success in place of 100 Continue, before anything was read', () => {
  const page = '<title>Sign in</title><h1>Please sign in</h1>';
  const problem = JSON.stringify({ title: 'Refused', status: 403, detail: 'No.' });
  test.each([
    ['a text', 'stored', 'not-sent, connection', /before everything was sent/],
    ['a page', page, 'rejected, web-page', /^The page says: Sign in$/m],
    ['a problem', problem, 'rejected, problem', /^No\.$/m],
  ])('is none, whatever it says: %s', async (_, body, ends, message) => {
    const server = await openServer(async (peer) => {
      await peer.readHead();
      peer.replyAsStranger(200, { body });
    });
    const { outputs, annotations } = await runAction(await makeWorkspace(), {
      'base-url': server.origin,
    });
    expect(`${outputs.result}, ${outputs.reason}`).toBe(ends);
    expect(annotations[0]?.message).toMatch(message);
    expect(server.peers.map((peer) => peer.body.length)).toEqual([0]);
  });
});
