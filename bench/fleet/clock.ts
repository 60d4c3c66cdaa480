/** A process in virtual time: yields when it goes on, in milliseconds, and gets the time it then is. */
export type Course<Result = void> = Generator<number, Result, number>;

/** A virtual clock that ticks every millisecond. */
export class Clock {
  /** By millisecond; within one in the order in which they were to go on. */
  readonly #due: Course[][] = [];

  /** Starts a process, or lets it go on. */
  start(course: Course, nowMs = 0): void {
    const { value, done } = course.next(nowMs);
    if (done !== true) (this.#due[Math.ceil(value)] ??= []).push(course);
  }

  /** Lets all processes go on until they end. */
  run(): void {
    for (let nowMs = 0; nowMs < this.#due.length; nowMs += 1) {
      for (const course of this.#due[nowMs] ?? []) this.start(course, nowMs);
    }
  }
}
