/** After an acceptance, how many rejections in a row mean that the credential is no longer valid. */
const MAX_REJECTIONS = 3;

/** What the service makes of the credential that the uploads of a step share. */
export class Standing {
  /** The first scan that it accepted. */
  accepted: string | undefined;
  #rejections = 0;

  accept(scan: string): void {
    this.accepted ??= scan;
    this.#rejections = 0;
  }

  /**
   * Counts a rejection, and returns whether the credential is wrong for all scans. One that was accepted is not: it may
   * only not upload for this scan. But if it was revoked, it must not be sent a thousand times.
   */
  reject(): boolean {
    this.#rejections += 1;
    return this.accepted === undefined || this.#rejections >= MAX_REJECTIONS;
  }
}
