import { errorMessage } from '../errors.ts';
import { annotateFailures } from './annotations.ts';
import type { Log } from './log.ts';
import { narrateResults } from './narrate.ts';
import { setOutputs } from './outputs.ts';
import { isSuccessful } from './result.ts';
import type { StepResult } from './result.ts';
import { writeSummary } from './summary.ts';

/**
 * Reports a step: the annotations of failures, the outputs, the job summary. Returns whether the
 * step may succeed: without outputs a later step could not tell an upload from none.
 */
export async function publish(step: StepResult, log: Log, wantsSummary: boolean): Promise<boolean> {
  narrateResults(step, log);
  annotateFailures(step, log);
  const isWritten = writeOutputs(step, log);
  log.countWarnings();
  if (wantsSummary) await writeSummary(step, log);
  return isWritten && isSuccessful(step.result);
}

function writeOutputs(step: StepResult, log: Log): boolean {
  try {
    setOutputs(step, log);
    return true;
  } catch (error) {
    const text = `The upload's result is '${step.result}', but the step's outputs could not be written: ${log.clean(errorMessage(error))}`;
    log.error('Scan upload: outputs', text);
    return false;
  }
}
