import type { TlsMaterial } from '../../src/inputs/tls.ts';
import type { SendTask, SendTools } from '../../src/service/sender.ts';
import { Link } from '../../src/service/link.ts';
import { makeBody } from './fixtures.ts';

export const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

/** A task that sends a small body, as a test wants it to. */
export async function makeTask(url: URL, task: Partial<SendTask> = {}): Promise<SendTask> {
  return {
    url,
    body: task.body ?? (await makeBody()),
    credential: { kind: 'token', header: 'Authorization', value: 'Bearer s3cret' },
    headers: [],
    traceId: TRACE_ID,
    stallMs: 20_000,
    ...task,
  };
}

/** A link for single requests. */
export function makeLink(url: URL, tls: TlsMaterial = {}): Link {
  return new Link(url, tls, 1);
}

/** What sending tells, remembered. */
export class Told implements SendTools {
  readonly requests: (readonly string[])[] = [];
  readonly phases: (readonly string[])[] = [];
  bytes = 0;

  readonly fetchIdToken: SendTools['fetchIdToken'] = async () => {
    throw new Error('no identity here');
  };
  readonly onSent: SendTools['onSent'] = (bytes) => {
    this.bytes += bytes;
  };
  readonly onRequest: SendTools['onRequest'] = (names) => {
    this.requests.push(names);
  };
  readonly onPhases: SendTools['onPhases'] = (phases) => {
    this.phases.push(phases.map(({ phase }) => phase));
  };
}
