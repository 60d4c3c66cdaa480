import { PAYLOADS, hostileReply, hostileHeaders } from '../harness/hostile.ts';
import type { FaultCase } from '../harness/types.ts';
import { said } from './said.ts';

/** S1: runner commands in texts of a service. */
export const COMMANDS: readonly FaultCase[] = PAYLOADS.flatMap((payload): FaultCase[] => [
  said({
    row: 'S1',
    variant: `in every member of a problem: ${JSON.stringify(payload)}`,
    status: 400,
    reply: ({ secrets }) => hostileReply(secrets, [payload]),
  }),
  said({
    row: 'S1',
    variant: `as text and in headers: ${JSON.stringify(payload)}`,
    status: 401,
    reply: ({ secrets }) => ({
      headers: { ...hostileHeaders(secrets, payload), 'Content-Type': 'text/plain' },
      body: payload,
    }),
  }),
  {
    ...said({
      row: 'S1',
      variant: `in the log between two attempts: ${JSON.stringify(payload)}`,
      status: 503,
      reply: ({ secrets }) => hostileReply(secrets, [payload]),
    }),
    // Annotations are escaped by the toolkit, plain lines are not; the wait itself is of no interest.
    posixOnly: true,
    inputs: () => ({ retries: '1' }),
    onLine: (line, scene) => {
      if (line.startsWith('Waiting ')) scene.cancel();
    },
    expected: {
      result: 'rejected',
      status: '503',
      exitCode: 130,
      says: /Cancelled: the scan was not uploaded./,
    },
  },
]);
