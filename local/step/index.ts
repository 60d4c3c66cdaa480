/** A local runner for one step. */
export { runStep } from './run-step.ts';
export type { StepOptions, StepRun } from './types.ts';
