import { setImmediate as endTurn } from 'node:timers/promises';

/** How long work goes on before timers and signals can run; they are promised within 200 ms. */
const TURN_MS = 50;

let startMs = performance.now();
/** The end of the current turn, for all work that waits for it: else each would go on as long before the next. */
let turnEnd: Promise<void> | undefined;

/** Whether long work has to await `takeTurn` before its next step. A step must take some milliseconds at most. */
export function isTurnDue(): boolean {
  return performance.now() - startMs > TURN_MS;
}

/** Lets timers and signals run. */
export async function takeTurn(): Promise<void> {
  turnEnd ??= startTurn();
  await turnEnd;
}

async function startTurn(): Promise<void> {
  await endTurn();
  startMs = performance.now();
  turnEnd = undefined;
}
