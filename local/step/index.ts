/** A runner for one step on one's own machine. */
export { runStep } from './run-step.ts';
export type { Annotation, OutputStream, StepCommand, StepOptions, StepRun } from './types.ts';
