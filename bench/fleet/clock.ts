/** A process in virtual time: yields the time at which it continues, in milliseconds, and receives that time. */
export type Course<Result = void> = Generator<number, Result, number>;

/** A virtual clock that ticks every millisecond. */
export class Clock {
  /** The processes by the millisecond in which they continue, in order. */
  readonly #due: Course[][] = [];

  /** Starts a process, or continues it. */
  start(course: Course, nowMs = 0): void {
    const { value, done } = course.next(nowMs);
    if (done !== true) (this.#due[Math.ceil(value)] ??= []).push(course);
  }

  /** Runs all processes until they end. Returns when the last one did. */
  run(): number {
    for (let nowMs = 0; nowMs < this.#due.length; nowMs += 1) {
      for (const course of this.#due[nowMs] ?? []) this.start(course, nowMs);
    }
    return this.#due.length - 1;
  }
}
