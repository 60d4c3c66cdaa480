import { errorMessage } from '../errors.ts';
import { isTurnDue, takeTurn } from '../turns.ts';
import { annotateFailures } from './annotations.ts';
import type { Log } from './log.ts';
import { narrateResults } from './narrate.ts';
import { setOutputs } from './outputs.ts';
import { getResult, isSuccessful } from './scan-result.ts';
import type { StepResult } from './scan-result.ts';
import { writeSummary } from './summary.ts';

/**
 * Reports a step: annotations, outputs and the job summary. Returns whether the step succeeds. It fails if
 * the outputs cannot be written, because later steps could not see whether there was an upload.
 */
export async function publish(step: StepResult, log: Log, wantsSummary: boolean): Promise<boolean> {
  narrateResults(step, log);
  annotateFailures(step, log);
  if (isTurnDue()) await takeTurn();
  const isWritten = writeOutputs(step, log);
  log.countWarnings();
  if (isTurnDue()) await takeTurn();
  if (wantsSummary) writeSummary(step, log);
  return isWritten && isSuccessful(getResult(step));
}

function writeOutputs(step: StepResult, log: Log): boolean {
  try {
    setOutputs(step, log);
    return true;
  } catch (error) {
    const text = `The upload's result is '${getResult(step)}', but the step's outputs could not be written: ${log.clean(errorMessage(error))}`;
    log.error('Scan upload (outputs)', text);
    return false;
  }
}
