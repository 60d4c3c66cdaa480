import * as core from '@actions/core';
import { cutText, joinLines } from './clean.ts';
import type { Log } from './log.ts';
import type { StepResult } from './result.ts';

/** Sets the step's outputs, on failure too, so that later steps can tell what happened. */
export function setOutputs(step: StepResult, log: Log): void {
  const outputs = makeOutputs(step, (text) => log.redact(text));
  for (const [name, value] of Object.entries(outputs)) core.setOutput(name, value);
}

/**
 * The outputs by name, empty where there is nothing to say. Text from outside is redacted before it
 * is cut; the rest never is, so that a secret `true` cannot change what `uploaded` says.
 */
export function makeOutputs(
  step: StepResult,
  redact: (text: string) => string,
): Readonly<Record<string, string>> {
  const { failure, problem, statusCode } = step;
  return {
    uploaded: String(step.result === 'accepted'),
    result: step.result,
    operation: step.operation ?? '',
    'status-code': statusCode === undefined ? '' : String(statusCode),
    attempts: String(step.attempts),
    manifest: redact(JSON.stringify(step.manifest)),
    'problem-details': problem === undefined ? '' : redact(JSON.stringify(problem.members)),
    error: failure === undefined ? '' : cutText(joinLines(redact(failure.headline))),
  };
}
