import * as core from '@actions/core';
import { breakCommands, cutText, joinLines } from './clean.ts';
import type { Json } from '../service/problem.ts';
import type { Log } from './log.ts';
import type { StepResult } from './result.ts';

/** Sets the step's outputs, on failure too, so that later steps can tell what happened. */
export function setOutputs(step: StepResult, log: Log): void {
  const outputs = makeOutputs(step, (text) => log.redact(text));
  for (const [name, value] of Object.entries(outputs)) core.setOutput(name, value);
}

/**
 * The outputs by name, empty where there is nothing to say. Text from outside is redacted before it
 * is cut or encoded; the step's own words and numbers never are, so that a secret `true` cannot
 * change what `uploaded` says.
 */
export function makeOutputs(
  step: StepResult,
  redact: (text: string) => string,
): Readonly<Record<string, string>> {
  const { failure, problem, statusCode } = step;
  const manifest = step.manifest.map((entry) => ({ ...entry, path: redact(entry.path) }));
  return {
    uploaded: String(step.result === 'accepted'),
    result: step.result,
    operation: step.operation ?? '',
    'status-code': statusCode === undefined ? '' : String(statusCode),
    attempts: String(step.attempts),
    manifest: JSON.stringify(manifest),
    'problem-details':
      problem === undefined ? '' : JSON.stringify(redactJson(problem.members, redact)),
    error:
      failure === undefined
        ? ''
        : cutText(breakCommands(redact(joinLines(redact(failure.headline))))),
  };
}

/** Redacts names and values; a number that shows a secret becomes a text. */
function redactJson(value: Json, redact: (text: string) => string): Json {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'number') {
    const shown = redact(String(value));
    return shown === String(value) ? value : shown;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((entry) => redactJson(entry, redact));
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, entry]) => [redact(name), redactJson(entry, redact)]),
  );
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
