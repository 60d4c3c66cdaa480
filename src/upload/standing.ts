/** After an acceptance, how many rejections in a row mean that the credential is no longer valid. */
const MAX_REJECTIONS = 3;

/** Remembers whether the service accepted the credential that the uploads of a step share. */
export class Standing {
  /** The first scan that it accepted. */
  accepted: string | undefined;
  #rejections = 0;

  accept(scan: string): void {
    this.accepted ??= scan;
    this.#rejections = 0;
  }

  /**
   * Counts a rejection, and returns whether the credential is wrong for all scans. If it was accepted before, it may only
   * lack the right for one scan, until several rejections in a row show that it was revoked.
   */
  reject(): boolean {
    this.#rejections += 1;
    return this.accepted === undefined || this.#rejections >= MAX_REJECTIONS;
  }
}
