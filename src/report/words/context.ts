import type { Attempt, State } from '../../service/attempt.ts';
import type { UploadSettings } from '../../service/settings.ts';
import type { UploadResult } from '../../situations.ts';

/** What the words of a situation are made from that an error names. All texts are clean. */
export interface StepContext {
  /** What the error says, complete sentences. */
  readonly problems: readonly string[];
  /** What the error says about its fix. */
  readonly fixes: readonly string[];
  /** Where the attempt was, if there was one. */
  readonly state: State | undefined;
  readonly result: UploadResult;
}

/** What the words of a situation are made from that an attempt ended in. */
export interface UploadContext extends StepContext {
  readonly attempt: Attempt;
  readonly settings: UploadSettings;
}

/** The words of a situation. */
export interface Words<C> {
  /** What happened; without it, what the error says. */
  readonly headline?: (context: C) => string;
  /** What to do, naming the input or who has to act. */
  readonly fix: (context: C) => string;
  /** More about what happened, a line each. */
  readonly details?: (context: C) => readonly string[];
}

/** What to do if time may help. A re-run would send again what the service may have. */
export function adviseLater({ result }: Pick<StepContext, 'result'>): string {
  return result === 'unconfirmed'
    ? 'Check whether the service has the scan before you run the step again'
    : 'Re-run the failed jobs later';
}

/** Where an attempt was when it ended. */
export const STATE_WORDS: Readonly<Record<State, string>> = {
  credential: 'while the OIDC token was being fetched',
  resolving: 'while the host name was being looked up',
  tunnelling: 'while connecting through the proxy',
  connecting: 'while connecting',
  asking: 'before the files were sent',
  sending: 'while the files were being sent',
  flushing: 'while the files were being sent',
  waiting: 'after everything was sent, before a response arrived',
  reading: 'while the response was being read',
  ended: 'after the response arrived',
};
