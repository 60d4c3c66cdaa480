/** A runner for one step on one's own machine. */
export { runStep } from './run-step.ts';
export { parseCommand, REGISTERED_COMMANDS, type ParsedCommand } from './commands.ts';
export type { Annotation, OutputStream, StepCommand, StepOptions, StepRun } from './types.ts';
