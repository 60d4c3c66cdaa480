import { readClock } from './clock.ts';
import type { ScanEntry } from './inputs/scans.ts';
import { worstOf } from './report/result.ts';
import type {
  Failure,
  ManifestEntry,
  ScanResult,
  ResultName,
  StepResult,
} from './report/result.ts';
import type { Content, Facts } from './formats/content.ts';
import type { UploadPlan } from './scan/plan.ts';
import type { ProblemDetails } from './service/problem.ts';

/** What is known of the step so far; whatever happens, it can be reported. */
export class StepDraft {
  origin: string | undefined;
  scans: readonly ScanDraft[] = [];
  /** What the step's result is if it has no scan. */
  resultOfNone: ResultName = 'not-sent';
  readonly #start = readClock();
  #failure: Failure | undefined;

  /** Notes why the step as a whole failed, and with it whatever has no result of its own yet. */
  fail(failure: Failure): void {
    if (this.failOpen(failure) === 0) this.#failure = failure;
  }

  /** Notes why the scans without a result of their own failed; returns how many there were. */
  failOpen(failure: Failure): number {
    const open = this.scans.filter(({ isOpen }) => isOpen);
    for (const scan of open) scan.failure = failure;
    return open.length;
  }

  /** The step's result as of now. */
  finish(): StepResult {
    const scans = this.scans.map((scan) => scan.finish());
    const result = worstOf(scans.map((scan) => scan.result)) ?? this.resultOfNone;
    return {
      scans,
      result,
      origin: this.origin,
      durationMs: readClock() - this.#start,
      failure: this.#failure,
    };
  }
}

/** What is known of one scan's upload so far. */
export class ScanDraft {
  readonly entry: ScanEntry;
  /** Nothing was sent until something says otherwise. */
  result: ResultName = 'not-sent';
  plan: UploadPlan | undefined;
  /** SHA-256 of each planned file, in order, once the files have been read whole. */
  digests: readonly string[] | undefined;
  attempts = 0;
  statusCode: number | undefined;
  problem: ProblemDetails | undefined;
  failure: Failure | undefined;

  constructor(entry: ScanEntry) {
    this.entry = entry;
  }

  /** Whether nothing has been said of it yet. */
  get isOpen(): boolean {
    return this.result === 'not-sent' && this.failure === undefined;
  }

  /** The scan's result as of now. */
  finish(): ScanResult {
    const { label, name } = this.entry;
    return {
      label,
      name,
      scanKey: 'error' in this.entry ? undefined : this.entry.scanKey,
      result: this.result,
      operation: this.plan?.operation.name,
      statusCode: this.statusCode,
      attempts: this.attempts,
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
        part: part.name,
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
