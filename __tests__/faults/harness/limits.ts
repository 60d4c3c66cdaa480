// A step on a busy machine may need a second to start and another one to connect: limits that a
// case waits for are well above that, and the time limit well above the stall limit.

/** Inputs of a case that is ended by the stall limit. */
export const STALL = { 'stall-timeout-seconds': '3', 'timeout-seconds': '20' };

/** Inputs of a case that is ended by the time limit. */
export const SHORT = { 'timeout-seconds': '5' };
