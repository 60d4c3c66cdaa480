import { hide } from '../../src/redaction/clean.ts';
import { createAgent } from '../../src/service/agent.ts';
import type { State } from '../../src/service/attempt.ts';
import { Schedule } from '../../src/upload/schedule.ts';
import { upload } from '../../src/upload/upload.ts';
import type { UploadTask } from '../../src/outcomes/task.ts';
import type { SharedState, Upload, UploadEvents } from '../../src/upload/upload.ts';
import { makeBody } from './bodies.ts';
import { makeTask } from './tasks.ts';

/** The token of a task, which is hidden. */
const UPLOAD_TOKEN = 's3cret';
hide(UPLOAD_TOKEN);

/** A schedule that records how long an upload is to wait for itself, and does not wait for it. */
export class HastySchedule extends Schedule {
  readonly waits: number[] = [];

  /** The limit is longer than any test takes. */
  constructor(limitMs = 900_000) {
    super(performance.now() + limitMs);
  }

  override wait(ms: number, signal: AbortSignal): Promise<void> {
    this.waits.push(ms);
    return super.wait(0, signal);
  }
}

/** Records what an upload reports. */
export class Recorder implements UploadEvents {
  attempts = 0;
  /** The states of all attempts, without repetitions. */
  readonly states: State[] = [];
  /** How long each wait for a further attempt is to be. */
  readonly waits: number[] = [];
  readonly onSent = (): void => {};
  readonly onAttempt = (attempt: number): number => (this.attempts = attempt);
  readonly onState: UploadEvents['onState'] = (state) => {
    if (this.states.at(-1) !== state) this.states.push(state);
  };
  readonly onRetry: UploadEvents['onRetry'];

  /** `onWait` is called before each wait for a further attempt. */
  constructor(onWait: () => void = () => {}) {
    this.onRetry = (_headline, _askedMs, waitMs) => {
      this.waits.push(waitMs);
      onWait();
    };
  }
}

/** How an upload of a test differs from a plain one. */
type Setting = Pick<Partial<UploadTask>, 'body'> &
  Partial<SharedState> & { readonly retries?: number; readonly recorder?: UploadEvents };

/** Uploads a small body to `url`, unless the setting says otherwise. */
export async function uploadTo(
  url: URL,
  { retries = 8, recorder = new Recorder(), ...setting }: Setting = {},
): Promise<Upload> {
  const task = makeTask();
  const inputs = { ...task.inputs, retries };
  const body = setting.body ?? (await makeBody());
  const shared: SharedState = {
    agent: createAgent(url, {}),
    schedule: new HastySchedule(),
    authenticate: async () => ({ Authorization: `Bearer ${UPLOAD_TOKEN}` }),
    signal: new AbortController().signal,
  };
  return upload({ ...task, url, body, inputs }, { ...shared, ...setting }, recorder);
}
