import type { FailedAttempt } from '../../src/service/retry.ts';
import { EventQueue } from './event-queue.ts';
import { judgeRefusal, judgeRefusedConnection } from './failures.ts';
import type { Reaction } from './policies.ts';
import type { Random } from './random.ts';
import type { Scenario } from './scenarios.ts';
import { ServiceModel } from './service.ts';

/** What became of a crowd. */
export interface Run {
  /** Attempts, those the outage refused included. */
  readonly requests: number;
  /** When each attempt that the service had to answer reached it, in milliseconds from zero, ascending. */
  readonly reachedMs: readonly number[];
  /** Uploads that were accepted within their steps' time limits. */
  readonly accepted: number;
  /** When the last job knew its result, in milliseconds from zero. */
  readonly doneMs: number;
}

/** What the uploads of a job have in common. */
interface Step {
  readonly deadlineMs: number;
  /** Uploads that have not been given to a lane yet. */
  waiting: number;
  /** Uploads that have no result yet. */
  open: number;
  /** No attempt begins before this time. */
  resumeMs: number;
}

interface Upload {
  readonly step: Step;
  readonly attempt: number;
}

/** Something that happens once the clock has come to its time. */
type Happening = (nowMs: number) => void;

/**
 * Runs a crowd through a scenario on a virtual clock. An attempt reaches the service, or does not,
 * at once; a refusal comes back after the round trip, an acceptance after the wait for a slot, the
 * service and the round trip.
 */
export function simulate(scenario: Scenario, reaction: Reaction, random: Random): Run {
  const fleet = new Fleet(scenario, reaction, random);
  fleet.start();
  return fleet.run();
}

class Fleet {
  readonly #scenario: Scenario;
  readonly #reaction: Reaction;
  readonly #random: Random;
  readonly #service: ServiceModel;
  readonly #shed: FailedAttempt;
  readonly #unreachable = judgeRefusedConnection();
  readonly #queue = new EventQueue<Happening>();
  readonly #reachedMs: number[] = [];
  #requests = 0;
  #accepted = 0;
  #doneMs = 0;

  constructor(scenario: Scenario, reaction: Reaction, random: Random) {
    this.#scenario = scenario;
    this.#reaction = reaction;
    this.#random = random;
    this.#service = new ServiceModel(scenario.limits);
    this.#shed = judgeRefusal(scenario.refusal);
  }

  /** Lets every job start, with an upload in each of its lanes. */
  start(): void {
    const { jobs, uploads, lanes, arrivalMs, timeoutMs } = this.#scenario.load;
    for (let job = 0; job < jobs; job += 1) {
      const startMs = this.#random() * arrivalMs;
      const deadlineMs = startMs + timeoutMs;
      const step: Step = { deadlineMs, waiting: uploads, open: uploads, resumeMs: 0 };
      for (let lane = 0; lane < lanes; lane += 1) this.#takeNext(step, startMs);
    }
  }

  /** Lets everything happen. */
  run(): Run {
    for (let event = this.#queue.pop(); event !== undefined; event = this.#queue.pop()) {
      event.value(event.atMs);
    }
    return {
      requests: this.#requests,
      reachedMs: this.#reachedMs,
      accepted: this.#accepted,
      doneMs: this.#doneMs,
    };
  }

  /** A lane is free. */
  #takeNext(step: Step, nowMs: number): void {
    if (step.waiting === 0) return;
    step.waiting -= 1;
    this.#queue.push(nowMs, () => this.#wait({ step, attempt: 1 }, nowMs, nowMs));
  }

  /** Lets an attempt begin at `wantedMs`, or when nothing holds back its step any more. */
  #wait(upload: Upload, wantedMs: number, nowMs: number): void {
    const { step } = upload;
    const atMs = Math.max(wantedMs, step.resumeMs);
    if (atMs >= step.deadlineMs) this.#finish(step, nowMs);
    else if (atMs <= nowMs) this.#attempt(upload, nowMs);
    else this.#queue.push(atMs, () => this.#wait(upload, atMs, atMs));
  }

  #attempt(upload: Upload, nowMs: number): void {
    const { load, outageMs } = this.#scenario;
    const isReached = nowMs >= outageMs;
    const servedMs = isReached ? this.#service.admit(nowMs) : undefined;
    this.#requests += 1;
    if (isReached) this.#reachedMs.push(nowMs);
    const failed = isReached ? this.#shed : this.#unreachable;
    this.#queue.push((servedMs ?? nowMs) + load.roundTripMs, (endMs) => {
      if (servedMs === undefined) this.#fail(upload, failed, endMs);
      else this.#accept(upload, endMs);
    });
  }

  #accept({ step }: Upload, nowMs: number): void {
    if (nowMs <= step.deadlineMs) this.#accepted += 1;
    this.#finish(step, Math.min(nowMs, step.deadlineMs));
  }

  #fail(upload: Upload, failed: FailedAttempt, nowMs: number): void {
    const { step, attempt } = upload;
    const { decide, hold } = this.#reaction;
    const decision = decide(failed, {
      retry: attempt,
      maxRetries: this.#scenario.load.retries,
      remainingMs: step.deadlineMs - nowMs,
      random: this.#random,
      nowMs,
    });
    // The last upload of a step has none to hold back.
    if (hold !== undefined && step.open > 1) {
      step.resumeMs = hold(step.resumeMs, failed, decision, { nowMs, random: this.#random });
    }
    if (decision.kind === 'stop') this.#finish(step, nowMs);
    else this.#wait({ step, attempt: attempt + 1 }, nowMs + decision.waitMs, nowMs);
  }

  /** An upload has its result. */
  #finish(step: Step, nowMs: number): void {
    step.open -= 1;
    this.#doneMs = Math.max(this.#doneMs, nowMs);
    this.#takeNext(step, nowMs);
  }
}
