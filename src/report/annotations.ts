import { joinLines } from './clean.ts';
import type { Log } from './log.ts';
import type { Failure } from './result.ts';

/** Annotates the run with the one failure: what happened first, then details, then what to do. */
export function annotateFailure({ title, headline, details, advice }: Failure, log: Log): void {
  const lines = [headline, ...details.map(joinLines), ...advice.map(joinLines)];
  log.error(title, lines.join('\n'));
}
