import { isObject } from '../json.ts';
import { showTexts } from '../redaction/gate.ts';
import type { ServiceResponse } from '../service/attempt.ts';
import type { ScanResult } from './scan-result.ts';
import { toProblem } from '../service/problem.ts';
import type { ProblemDetails } from '../service/problem.ts';
import { cutAtWord } from '../text.ts';

/** How many bytes the problems of a step have together, before only the texts of `KEPT` are kept of each. */
const MAX_PROBLEM_BYTES = 8 * 1024 * 1024;
const KEPT = ['title', 'detail', 'traceId'];
/** As much as is shown of a detail. */
const MAX_TEXT_CHARACTERS = 1500;

/** The bytes of the problems that a step has kept whole. */
export interface Kept {
  problemBytes: number;
}

/** What is kept of a scan until all are reported, once its failure has been explained. */
export function keepResult(scan: ScanResult, kept: Kept): ScanResult {
  const { upload, failure } = scan;
  if (upload === undefined) return scan;
  const { response } = upload.last;
  const problem = response?.problem && keepProblem(response.problem, kept);
  // Copies, since V8 keeps a text in memory as long as a piece that was cut out of it.
  const copy = structuredClone({
    response: response && showResponse({ ...response, problem }),
    failure,
  });
  const last = { ...upload.last, response: copy.response, failure: undefined };
  return { ...scan, upload: { ...upload, last }, failure: copy.failure };
}

function showResponse(response: ServiceResponse): ServiceResponse {
  const { says, warnings } = response;
  return { ...response, text: '', says: showTexts(says), warnings: showTexts(warnings) };
}

function keepProblem(problem: ProblemDetails, kept: Kept): ProblemDetails | undefined {
  const bytes = Buffer.byteLength(problem.json);
  if (kept.problemBytes + bytes > MAX_PROBLEM_BYTES) return shortenProblem(problem);
  kept.problemBytes += bytes;
  return problem;
}

function shortenProblem({ json }: ProblemDetails): ProblemDetails | undefined {
  const members: unknown = JSON.parse(json);
  const texts = Object.entries(isObject(members) ? members : {})
    .filter(([name, text]) => KEPT.includes(name) && typeof text === 'string')
    .map(([name, text]) => [name, cutAtWord(String(text), MAX_TEXT_CHARACTERS)]);
  return toProblem(Object.fromEntries(texts));
}
