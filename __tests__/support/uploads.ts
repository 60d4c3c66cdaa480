import type { UploadEvents } from '../../src/upload/upload-scan.ts';

/** Records the attempts of an upload, how long each wait for a further one is to be, and what it is said to be for. */
export class Recorder implements UploadEvents {
  attempts = 0;
  readonly waits: number[] = [];
  headline = '';
  readonly onSent = (): void => {};
  readonly onState = (): void => {};
  readonly onAttempt = (attempt: number): number => (this.attempts = attempt);
  readonly onRetry: UploadEvents['onRetry'];

  /** `onWait` is called before each wait for a further attempt. */
  constructor(onWait: () => void = () => {}) {
    this.onRetry = (headline, _askedMs, waitMs) => {
      this.headline = headline;
      this.waits.push(waitMs);
      onWait();
    };
  }
}
