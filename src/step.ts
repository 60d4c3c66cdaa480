import { readClock } from './clock.ts';
import type { Failure, ManifestEntry, StepOutcome, StepResult } from './report/result.ts';
import type { Content, Facts } from './scan/content/content.ts';
import type { UploadPlan } from './scan/plan.ts';
import type { ProblemDetails } from './service/problem.ts';

/** What is known of the step so far; whatever happens, it can be reported. */
export class StepDraft {
  /** Nothing was sent until something says otherwise. */
  result: StepOutcome = 'not-sent';
  origin: string | undefined;
  plan: UploadPlan | undefined;
  /** SHA-256 of each planned file, in order, once the files have been read whole. */
  digests: readonly string[] | undefined;
  attempts = 0;
  statusCode: number | undefined;
  problem: ProblemDetails | undefined;
  failure: Failure | undefined;
  readonly #start = readClock();

  /** The step's result as of now. */
  finish(): StepResult {
    return {
      result: this.result,
      operation: this.plan?.operation,
      statusCode: this.statusCode,
      attempts: this.attempts,
      origin: this.origin,
      durationMs: readClock() - this.#start,
      manifest: this.#makeManifest(),
      problem: this.problem,
      failure: this.failure,
    };
  }

  #makeManifest(): readonly ManifestEntry[] {
    const parts = this.plan?.parts ?? [];
    return parts.map(({ part, file }, index) => {
      const sha256 = this.digests?.[index];
      return {
        part,
        path: file.displayPath,
        bytes: file.size,
        ...(sha256 !== undefined && { sha256 }),
        ...pickFacts(file.content),
      };
    });
  }
}

/** What the manifest says of a content: not its words for people. */
function pickFacts(content: Content): Facts & Pick<Content, 'format' | 'inspected'> {
  const { syntax: _syntax, kind: _kind, fault: _fault, ...facts } = content;
  return facts;
}
