// A step on a busy machine may need a second to start, and another one to connect: the stall limit counts
// from there, the time limit from the start. The time limit is well above the stall limit.

/** Inputs of a case that is ended by the stall limit. */
export const STALL = { 'stall-timeout-seconds': '2', 'timeout-seconds': '20' };

/** Inputs of a case that is ended by the time limit. */
export const SHORT = { 'timeout-seconds': '4' };
