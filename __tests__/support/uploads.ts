import { hide } from '../../src/redaction/clean.ts';
import { createAgent } from '../../src/service/agent.ts';
import type { State } from '../../src/service/attempt.ts';
import { Schedule } from '../../src/upload/schedule.ts';
import { upload } from '../../src/upload/upload.ts';
import type { SharedState, Upload, UploadEvents, UploadTask } from '../../src/upload/upload.ts';
import type { Situation } from '../../src/outcomes/situations.ts';
import { SETTINGS } from './attempts.ts';
import { makeBody } from './bodies.ts';

export const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

/** The token of a task, which is hidden. */
const UPLOAD_TOKEN = 's3cret';
hide(UPLOAD_TOKEN);

/** Longer than any test takes. */
const LONG_MS = 900_000;

/** What a test says of a task. */
export type TaskSpec = Partial<UploadTask> & { readonly retries?: number };

/** A task that sends a small body, unless `task` says otherwise. */
async function makeTask(url: URL, { retries = 8, ...task }: TaskSpec = {}): Promise<UploadTask> {
  return {
    url,
    body: task.body ?? (await makeBody()),
    credential: { kind: 'token', header: 'Authorization', value: `Bearer ${UPLOAD_TOKEN}` },
    headers: [],
    stallMs: 20_000,
    settings: { ...SETTINGS, traceId: TRACE_ID, isSecure: url.protocol === 'https:', retries },
    ...task,
  };
}

/** A schedule that records how long an upload is to wait for itself, and does not wait for it. */
export class HastySchedule extends Schedule {
  readonly waits: number[] = [];

  constructor(limitMs = LONG_MS) {
    super(performance.now() + limitMs);
  }

  override wait(ms: number, signal: AbortSignal): Promise<void> {
    this.waits.push(ms);
    return super.wait(0, signal);
  }
}

/** The state that the uploads of a step to `url` share. */
function makeShared(url: URL, shared: Partial<SharedState> = {}): SharedState {
  return {
    agent: createAgent(url, {}),
    schedule: new HastySchedule(),
    fetchIdToken: async () => {
      throw new Error('no OIDC token here');
    },
    signal: new AbortController().signal,
    ...shared,
  };
}

/** Records what an upload reports. */
export class Recorder implements UploadEvents {
  readonly attempts: number[] = [];
  /** The states of all attempts, without repetitions. */
  readonly states: State[] = [];
  readonly retries: (readonly [Situation, number])[] = [];
  readonly #onWait: () => void;

  /** `onWait` is called before each wait for a further attempt. */
  constructor(onWait: () => void = () => {}) {
    this.#onWait = onWait;
  }

  readonly onAttempt: UploadEvents['onAttempt'] = (attempt) => {
    this.attempts.push(attempt);
  };
  readonly onSent: UploadEvents['onSent'] = () => {};
  readonly onHeaders: UploadEvents['onHeaders'] = () => {};
  readonly onState: UploadEvents['onState'] = (state) => {
    if (this.states.at(-1) !== state) this.states.push(state);
  };
  readonly onRetry: UploadEvents['onRetry'] = ({ situation, waitMs }) => {
    this.retries.push([situation, waitMs]);
    this.#onWait();
  };
}

/** Overrides of the defaults of an upload. */
interface UploadSetting {
  readonly task?: TaskSpec;
  readonly shared?: Partial<SharedState>;
  readonly recorder?: UploadEvents;
}

/** Uploads to `url`. */
export async function uploadTo(url: URL, setting: UploadSetting = {}): Promise<Upload> {
  const { task, shared, recorder = new Recorder() } = setting;
  return upload(await makeTask(url, task), makeShared(url, shared), recorder);
}
