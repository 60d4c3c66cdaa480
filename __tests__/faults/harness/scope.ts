import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What one case opened, closed at its end; hooks around tests do not fit tests that run at once. */
export class Scope {
  readonly #cleanups: (() => Promise<void>)[] = [];

  /** Runs something at the end of the case; what was added last runs first. */
  defer(cleanup: () => Promise<void>): void {
    this.#cleanups.push(cleanup);
  }

  /** A fresh folder with a real path, removed at the end of the case. */
  async makeFolder(): Promise<string> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'fault-')));
    this.defer(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  async close(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).toReversed()) await cleanup();
  }
}
